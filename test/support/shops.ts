/** Workspaces that several tests open, as literals for workspace.ts. */

/** The answer is line 4 of src/mail.go; the editor is started on src/pool.py. */
export const SHOP = `
//- .git/HEAD
ref: refs/heads/main
//- src/pool.py
"""Connections to the database."""


class Pool:
    def open_connection(self, url):
        """Opens a connection, and waits while all of them are busy."""
        return self.wait_for_free_slot(url)
//- src/mail.go
package mail

// SendReceipt mails the customer what was bought.
func SendReceipt(order Order) error {
	return smtp.Send(order.Customer, render(order))
}
//- docs/refunds.md
# Refunds

Money goes back to the card within ten days.
`;

/** Two files, each one chunk. */
export const SMALL_SHOP = `
//- src/pool.py
def open_pool(url):
    """Opens the pool of connections."""
    return Pool(url)
//- src/token.py
def refresh_token(session):
    return session.renew()
`;

/** Two files of a repository: one imports and calls the other. */
export const LINKED_SHOP = `
//- src/__init__.py
//- src/pool.py
def open_pool(url):
    """Opens the pool of connections, and retries when the network is slow."""
    return url
//- src/shop.py
from .pool import open_pool


def start_shop(url):
    """Opens the shop in the morning."""
    return open_pool(url)
`;

/** Two files of one function each. */
export const TWO_DOORS =
  "//- shop.py\ndef open_shop():\n    return 1\n//- parts/door.py\ndef open_door():\n    return 2\n";
