// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/access/Ownable.sol";

/// Raised when somebody takes more than there is.
error NotEnough(uint256 asked, uint256 available);

interface IVault {
    event Deposited(address indexed from, uint256 amount);

    function deposit() external payable;
}

library Shares {
    function toShares(uint256 amount, uint256 total) internal pure returns (uint256) {
        return total == 0 ? amount : (amount * 1e18) / total;
    }
}

/// @title Keeps ether for its owners.
contract Vault is IVault, Ownable {
    using Shares for uint256;

    struct Account {
        uint256 shares;
        uint64 since;
    }

    enum State { Open, Closed }

    mapping(address => Account) public accounts;
    State public state;
    uint256 private total;

    modifier whenOpen() {
        require(state == State.Open, "closed");
        _;
    }

    constructor(address owner) Ownable(owner) {
        state = State.Open;
    }

    receive() external payable {
        deposit();
    }

    /// Puts ether in and gives shares for it.
    function deposit() public payable override whenOpen {
        accounts[msg.sender].shares += msg.value.toShares(total);
        total += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external whenOpen {
        if (amount > total) revert NotEnough(amount, total);
        total -= amount;
        payable(msg.sender).transfer(amount);
    }
}
