package io.metaq.example.spring;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** What the application does. All within a method happens, or nothing does. */
@Component
class Shop {

    private final JdbcTemplate database;
    private final JmsTemplate queues;

    Shop(JdbcTemplate database, JmsTemplate queues) {
        this.database = database;
        this.queues = queues;
        database.execute("create table if not exists book (item varchar primary key)");
    }

    /** The order is received in the transaction of the row and the invoice: when this throws, it comes again. */
    @JmsListener(destination = "orders")
    void book(String item) {
        database.update("insert into book values (?)", item);
        queues.convertAndSend("invoices", "invoice for " + item);
    }

    /** @throws IllegalArgumentException when there are too many: nothing is ordered then */
    @Transactional
    public void order(int most, String... items) {
        for (int i = 0; i < items.length; i++) {
            if (i == most) {
                throw new IllegalArgumentException("more than " + most + " items");
            }
            queues.convertAndSend("orders", items[i]);
        }
    }
}
