#!/usr/bin/env perl
use strict;
use warnings;

package Inventory::Item;

# Makes an item from its name and count.
sub new {
    my ($class, %args) = @_;
    my $self = { name => $args{name}, count => $args{count} || 0 };
    return bless $self, $class;
}

sub name { return $_[0]->{name} }

sub count { return $_[0]->{count} }

package Inventory;

our $VERSION = '1.02';

sub new {
    my $class = shift;
    return bless { items => {} }, $class;
}

# Adds to what is there already.
sub add {
    my ($self, $name, $count) = @_;
    die "count must be positive\n" unless $count > 0;
    my $item = $self->{items}{$name} ||= Inventory::Item->new(name => $name);
    $item->{count} += $count;
    return $item;
}

=head2 low_stock

What should be ordered again.

=cut

sub low_stock {
    my ($self, $limit) = @_;
    my @low = grep { $_->count < $limit } values %{ $self->{items} };
    return sort { $a->name cmp $b->name } @low;
}

sub report {
    my ($self) = @_;
    foreach my $item ($self->low_stock(10)) {
        printf "%-20s %5d\n", $item->name, $item->count;
    }
}

package main;

my $inventory = Inventory->new;
while (my $line = <STDIN>) {
    chomp $line;
    next if $line =~ /^\s*(#|$)/;
    my ($name, $count) = split /\s*,\s*/, $line;
    $inventory->add($name, $count);
}
$inventory->report;
