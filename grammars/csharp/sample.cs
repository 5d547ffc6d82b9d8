using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Example.Orders;

/// <summary>What an order can be in.</summary>
public enum OrderState { Open, Paid, Shipped }

public delegate void OrderChanged(Order order);

public readonly record struct Money(decimal Amount, string Currency)
{
    public static Money operator +(Money left, Money right) =>
        left with { Amount = left.Amount + right.Amount };
}

public record OrderLine(string Sku, int Count, Money Price);

public interface IOrderStore
{
    Task<Order?> FindAsync(Guid id);
}

/// <summary>An order, from the first line to the parcel.</summary>
[Serializable]
public sealed class Order : IDisposable
{
    private readonly List<OrderLine> _lines = new();

    public event OrderChanged? Changed;

    public Order(Guid id)
    {
        Id = id;
    }

    public Guid Id { get; }

    public OrderState State { get; private set; } = OrderState.Open;

    /// <summary>The sum of all lines.</summary>
    public Money Total
    {
        get
        {
            var total = new Money(0, "EUR");
            foreach (var line in _lines)
                total += line.Price with { Amount = line.Price.Amount * line.Count };
            return total;
        }
    }

    public OrderLine this[int index] => _lines[index];

    /// <summary>Adds a line to an open order.</summary>
    [Obsolete("Use AddAll")]
    public void Add(OrderLine line)
    {
        if (State is not OrderState.Open)
            throw new InvalidOperationException($"order {Id} is {State}");
        _lines.Add(line);
        Changed?.Invoke(this);
    }

    public async Task<bool> PayAsync<TGateway>(TGateway gateway) where TGateway : IGateway
    {
        var isPaid = await gateway.ChargeAsync(Total);
        if (isPaid) State = OrderState.Paid;
        return isPaid;

        static void Log(string text) => Console.WriteLine(text);
    }

    void IDisposable.Dispose() => _lines.Clear();
}

internal static class OrderExtensions
{
    internal struct Page
    {
        public int Number;
    }

    public static bool IsEmpty(this Order order) => order.Total.Amount == 0;
}
