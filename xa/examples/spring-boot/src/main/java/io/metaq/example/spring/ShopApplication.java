package io.metaq.example.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Takes orders from a queue, writes each into a table, and sends an invoice. */
@SpringBootApplication(proxyBeanMethods = false)
public class ShopApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(ShopApplication.class, arguments);
    }
}
