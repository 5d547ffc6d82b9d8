"""
Random walks on a grid.
"""
module Walks

using Random, Statistics

export Walker, step!, distance

"Where a walker may go."
abstract type Direction end

struct North <: Direction end
struct South <: Direction end

"A walker and where it has been."
mutable struct Walker{T<:Integer}
    x::T
    y::T
    path::Vector{Tuple{T,T}}
end

Walker(x::T, y::T) where {T<:Integer} = Walker{T}(x, y, [(x, y)])

distance(w::Walker) = sqrt(w.x^2 + w.y^2)

# One step in any of the four directions.
function step!(w::Walker; rng = Random.default_rng())
    dx, dy = rand(rng, [(0, 1), (0, -1), (1, 0), (-1, 0)])
    w.x += dx
    w.y += dy
    push!(w.path, (w.x, w.y))
    return w
end

function Base.show(io::IO, w::Walker)
    print(io, "Walker at (", w.x, ", ", w.y, ")")
end

macro repeat(n, body)
    quote
        for _ in 1:$(esc(n))
            $(esc(body))
        end
    end
end

mean_distance(n; steps = 100) = mean(distance(run(steps)) for _ in 1:n)

end # module
