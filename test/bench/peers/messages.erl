%% What Erlang takes for messages: there and back, and one way in bursts, as test/bench/actors has it.
%% Prints the milliseconds. Arguments: pingpong Rounds | throw Throwers Catchers Bursts.
-module(messages).
-export([main/1]).

-define(BURST, 256).
-define(AHEAD, 16).

main(["pingpong", Rounds]) ->
    Left = 2 * list_to_integer(Rounds) - 1,
    Main = self(),
    Other = spawn_link(fun() -> player(Main) end),
    timed(fun() ->
        One = spawn_link(fun() -> player(Main) end),
        Other ! {ball, One, Left - 1},
        receive over -> ok end
    end);
main(["throw", Throwers, Catchers, Bursts]) ->
    Main = self(),
    [T, C, B] = [list_to_integer(X) || X <- [Throwers, Catchers, Bursts]],
    Of = [spawn_link(fun() -> catcher(0, infinity, none, T * B * ?BURST, Main) end) || _ <- lists:seq(1, C)],
    By = [spawn_link(fun() -> receive {throw, To, N} -> throws(To, N) end end) || _ <- lists:seq(1, T)],
    timed(fun() ->
        [Thrower ! {throw, Of, B} || Thrower <- By],
        [receive over -> ok end || _ <- Of]
    end).

timed(Work) ->
    Start = erlang:monotonic_time(),
    Work(),
    Took = erlang:monotonic_time() - Start,
    io:format("{\"ms\": ~f}~n", [erlang:convert_time_unit(Took, native, nanosecond) / 1000000]),
    halt().

player(Main) ->
    receive
        {ball, _, 0} -> Main ! over;
        {ball, From, Left} ->
            From ! {ball, self(), Left - 1},
            player(Main)
    end.

throws(To, Bursts) ->
    First = min(?AHEAD, Bursts),
    [burst(One, 0) || _ <- lists:seq(1, First), One <- To],
    more(maps:from_list([{One, Bursts - First} || One <- To])).

more(Left) ->
    receive
        {caught, From} ->
            case maps:get(From, Left) of
                0 -> more(Left);
                N ->
                    burst(From, 0),
                    more(Left#{From := N - 1})
            end
    end.

burst(_, ?BURST) -> ok;
burst(To, I) ->
    To ! {offer, self(), I, 12.5 + (I band 63), I band 7, I band 1 =:= 0, <<"client@c1">>},
    burst(To, I + 1).

catcher(Count, _, _, Count, Main) -> Main ! over;
catcher(Count, Best, By, All, Main) ->
    receive
        {offer, From, Task, Price, _, _, _} ->
            case Task of
                ?BURST - 1 -> From ! {caught, self()};
                _ -> ok
            end,
            case Price < Best of
                true -> catcher(Count + 1, Price, From, All, Main);
                false -> catcher(Count + 1, Best, By, All, Main)
            end
    end.
