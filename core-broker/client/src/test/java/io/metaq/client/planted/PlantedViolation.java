package io.metaq.client.planted;

import java.sql.Connection;

/** Breaks a rule on purpose: shows that the rule sees it. */
public final class PlantedViolation {

    public Connection forbidden;
}
