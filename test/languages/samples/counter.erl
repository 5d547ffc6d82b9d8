%% A counter that several processes share.
-module(counter).
-behaviour(gen_server).

-export([start_link/1, increment/1, value/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-record(state, {value = 0 :: integer(), limit :: integer()}).

-type limit() :: pos_integer() | infinity.

-define(TIMEOUT, 5000).

-spec start_link(limit()) -> {ok, pid()}.
start_link(Limit) ->
    gen_server:start_link(?MODULE, [Limit], []).

%% @doc Adds one, unless the limit is reached.
-spec increment(pid()) -> ok | {error, limit}.
increment(Pid) ->
    gen_server:call(Pid, increment, ?TIMEOUT).

value(Pid) ->
    gen_server:call(Pid, value, ?TIMEOUT).

init([Limit]) ->
    {ok, #state{limit = Limit}}.

handle_call(increment, _From, #state{value = V, limit = L} = S) when V < L ->
    {reply, ok, S#state{value = V + 1}};
handle_call(increment, _From, State) ->
    {reply, {error, limit}, State};
handle_call(value, _From, #state{value = V} = S) ->
    {reply, V, S}.

handle_cast(reset, State) ->
    {noreply, State#state{value = 0}}.
