//! A ring buffer over memory that the caller owns.

const std = @import("std");
const assert = std.debug.assert;

/// What can go wrong.
pub const Error = error{ Full, Empty };

pub const Order = enum {
    oldest_first,
    newest_first,

    pub fn isStable(self: Order) bool {
        return self == .oldest_first;
    }
};

/// A queue of fixed size.
pub fn RingBuffer(comptime T: type) type {
    return struct {
        const Self = @This();

        items: []T,
        head: usize = 0,
        len: usize = 0,

        pub fn init(items: []T) Self {
            return .{ .items = items };
        }

        /// Puts an item behind the others.
        pub fn push(self: *Self, item: T) Error!void {
            if (self.len == self.items.len) return Error.Full;
            const at = (self.head + self.len) % self.items.len;
            self.items[at] = item;
            self.len += 1;
        }

        pub fn pop(self: *Self) Error!T {
            if (self.len == 0) return Error.Empty;
            const item = self.items[self.head];
            self.head = (self.head + 1) % self.items.len;
            self.len -= 1;
            return item;
        }
    };
}

const Stats = struct {
    pushed: u64 = 0,
    popped: u64 = 0,

    fn total(self: Stats) u64 {
        return self.pushed + self.popped;
    }
};

const Value = union(enum) {
    number: f64,
    text: []const u8,
};

export fn checksum(bytes: [*]const u8, len: usize) u32 {
    var sum: u32 = 0;
    for (bytes[0..len]) |byte| sum +%= byte;
    return sum;
}

test "what goes in comes out" {
    var memory: [4]u8 = undefined;
    var ring = RingBuffer(u8).init(&memory);
    try ring.push(7);
    try std.testing.expectEqual(@as(u8, 7), try ring.pop());
}
