%% shop_order calls shop_order
-module(shop_order).
-export([start/0, 'GET'/1]).
-define(TIMEOUT, 5000).
-record(order, {id, lines = []}).
-type line() :: {integer(), binary()}.
-opaque ref() :: reference().
-callback init(term()) -> ok.
start() ->
    ok.
'GET'(Req) ->
    Req.
long(
    A,
    B
) -> A + B.
