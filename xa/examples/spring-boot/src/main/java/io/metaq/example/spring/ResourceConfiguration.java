package io.metaq.example.spring;

import com.arjuna.ats.jdbc.TransactionalDriver;
import io.metaq.jms.MetaQXAConnectionFactory;
import java.util.Properties;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.messaginghub.pooled.jms.JmsPoolXAConnectionFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.jta.JtaTransactionManager;

/** The broker and the database, each once as it is and once such that it takes part in the thread's transaction by itself. */
@Configuration(proxyBeanMethods = false)
class ResourceConfiguration {

    @Bean
    MetaQXAConnectionFactory broker(@Value("${metaq.uri}") String uri) {
        return new MetaQXAConnectionFactory(uri);
    }

    /** What the application sends and receives by. */
    @Bean(destroyMethod = "stop")
    @Primary
    JmsPoolXAConnectionFactory connectionFactory(MetaQXAConnectionFactory broker, JtaTransactionManager transactions) {
        JmsPoolXAConnectionFactory pool = new JmsPoolXAConnectionFactory();
        pool.setConnectionFactory(broker);
        pool.setTransactionManager(transactions.getTransactionManager());
        return pool;
    }

    @Bean
    XADataSource database(@Value("${database.url}") String url) {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl(url);
        return database;
    }

    @Bean
    DataSource dataSource(XADataSource database, JtaTransactionManager configured) {
        Properties properties = new Properties();
        properties.put(TransactionalDriver.XADataSource, database);
        return new SimpleDriverDataSource(new TransactionalDriver(), TransactionalDriver.arjunaDriver, properties);
    }
}
