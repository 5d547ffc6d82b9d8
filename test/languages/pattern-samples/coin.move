module shop::coin {
    use std::signer;
    const E_EMPTY: u64 = 1;
    /// What is held.
    struct Coin<phantom T> has key, store {
        value: u64,
    }
    public(friend) entry fun transfer(from: &signer, to: address, amount: u64) acquires Coin {
        let c = 1;
    }
    native fun burn(c: Coin);
    #[test]
    fun test_transfer() {}
}
