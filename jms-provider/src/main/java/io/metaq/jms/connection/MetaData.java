package io.metaq.jms.connection;

import jakarta.jms.ConnectionMetaData;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** What this provider says of itself. */
final class MetaData implements ConnectionMetaData {

    private static final int JMS_MAJOR = 3;
    private static final int JMS_MINOR = 1;
    private static final int MAJOR = 2;
    private static final int MINOR = 0;

    @Override
    public String getJMSVersion() {
        return JMS_MAJOR + "." + JMS_MINOR;
    }

    @Override
    public int getJMSMajorVersion() {
        return JMS_MAJOR;
    }

    @Override
    public int getJMSMinorVersion() {
        return JMS_MINOR;
    }

    @Override
    public String getJMSProviderName() {
        return "MetaQ";
    }

    @Override
    public String getProviderVersion() {
        return MAJOR + "." + MINOR;
    }

    @Override
    public int getProviderMajorVersion() {
        return MAJOR;
    }

    @Override
    public int getProviderMinorVersion() {
        return MINOR;
    }

    @Override
    public Enumeration<String> getJMSXPropertyNames() {
        return Collections.enumeration(List.of("JMSXDeliveryCount", "JMSXGroupID", "JMSXGroupSeq"));
    }
}
