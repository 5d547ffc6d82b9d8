(** Queues with two lists. *)

exception Empty

type 'a t = {
  front : 'a list;
  back : 'a list;
}

type order =
  | First_in
  | Last_in

module type S = sig
  type elt
  val push : elt -> elt t -> elt t
end

let empty = { front = []; back = [] }

let is_empty q = q.front = [] && q.back = []

(** Puts an element behind the others. *)
let push x q = { q with back = x :: q.back }

let rec pop q =
  match q.front, q.back with
  | [], [] -> raise Empty
  | [], back -> pop { front = List.rev back; back = [] }
  | x :: front, _ -> x, { q with front }

module Make (E : sig type t end) = struct
  type elt = E.t

  let push (x : elt) q = push x q

  let of_list l = { front = l; back = [] }
end

class ['a] counter = object
  val mutable n = 0
  method incr = n <- n + 1
  method get = n
end

let () =
  let q = push 2 (push 1 empty) in
  let x, _ = pop q in
  Printf.printf "%d\n" x
