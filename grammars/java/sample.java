package org.example.bank;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/** An account that can be charged. */
@Entity
@Table(name = "accounts")
public class Account implements Comparable<Account> {
    private final String owner;
    private BigDecimal balance = BigDecimal.ZERO;

    public Account(String owner) {
        this.owner = Objects.requireNonNull(owner);
    }

    /**
     * Takes money out.
     *
     * @throws IllegalStateException when there is not enough
     */
    @Override
    @Deprecated(since = "2")
    public synchronized void charge(BigDecimal amount) throws IllegalStateException {
        if (balance.compareTo(amount) < 0) {
            throw new IllegalStateException("not enough money");
        }
        balance = balance.subtract(amount);
    }

    @Override
    public int compareTo(Account other) {
        return owner.compareTo(other.owner);
    }

    enum State {
        OPEN,
        CLOSED;

        boolean isOpen() {
            return this == OPEN;
        }
    }
}

record Transfer(Account from, Account to, BigDecimal amount) {
    Transfer {
        Objects.requireNonNull(amount);
    }

    static <T extends Account> List<Transfer> none() {
        return List.of();
    }
}

interface Ledger {
    List<Transfer> transfersOf(Account account);

    default boolean isEmpty(Account account) {
        return transfersOf(account).isEmpty();
    }
}

@interface Entity {
    String value() default "";
}
