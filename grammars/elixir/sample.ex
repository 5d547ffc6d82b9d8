defmodule Example.RateLimiter do
  @moduledoc """
  Lets so many calls through in a while.
  """

  use GenServer

  alias Example.Clock

  @default_limit 100

  defstruct [:limit, :window, calls: %{}]

  @type t :: %__MODULE__{limit: pos_integer(), window: pos_integer()}

  @callback allowed?(key :: term()) :: boolean()

  @doc """
  Starts the limiter with its options.
  """
  @spec start_link(keyword()) :: GenServer.on_start()
  def start_link(options \\ []) do
    GenServer.start_link(__MODULE__, options, name: __MODULE__)
  end

  @doc "Whether one more call may go through."
  def check(key, cost \\ 1)

  def check(key, cost) when cost > 0 do
    GenServer.call(__MODULE__, {:check, key, cost})
  end

  def check(_key, _cost), do: {:error, :cost}

  @impl true
  def init(options) do
    limit = Keyword.get(options, :limit, @default_limit)
    {:ok, %__MODULE__{limit: limit, window: 60_000}}
  end

  @impl true
  def handle_call({:check, key, cost}, _from, state) do
    now = Clock.now()
    recent = state.calls |> Map.get(key, []) |> Enum.filter(&(&1 > now - state.window))

    if length(recent) + cost <= state.limit do
      {:reply, :ok, put_in(state.calls[key], [now | recent])}
    else
      {:reply, {:error, :limited}, state}
    end
  end

  defp window_of(%{window: window}), do: window

  defmacro limited(key, do: block) do
    quote do
      with :ok <- unquote(__MODULE__).check(unquote(key)), do: unquote(block)
    end
  end

  defmodule Stats do
    def count(calls), do: map_size(calls)
  end
end

defprotocol Example.Costly do
  @doc "What a call costs."
  def cost(value)
end

defimpl Example.Costly, for: Integer do
  def cost(value), do: value
end
