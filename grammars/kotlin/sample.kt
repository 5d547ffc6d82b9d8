package org.example.cache

import java.time.Duration
import java.time.Instant
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** How a value is made when it is missing. */
typealias Loader<K, V> = suspend (K) -> V

/** Longest time that a value is kept. */
const val MAX_AGE_SECONDS = 3600L

data class Entry<V>(val value: V, val expires: Instant)

sealed interface Lookup<out V> {
    data class Hit<V>(val value: V) : Lookup<V>
    data object Miss : Lookup<Nothing>
}

enum class Eviction {
    OLDEST,
    LEAST_USED;

    fun isFair(): Boolean = this == OLDEST
}

/**
 * A cache that loads what it does not have, once at a time.
 */
class LoadingCache<K : Any, V : Any>(
    private val ttl: Duration,
    private val loader: Loader<K, V>,
) {
    private val entries = HashMap<K, Entry<V>>()
    private val lock = Mutex()

    val size: Int
        get() = entries.size

    init {
        require(ttl.seconds <= MAX_AGE_SECONDS) { "too long" }
    }

    constructor(loader: Loader<K, V>) : this(Duration.ofMinutes(1), loader)

    /** The value of a key, from the cache or from the loader. */
    @Throws(IllegalStateException::class)
    suspend fun get(key: K): V = lock.withLock {
        val entry = entries[key]
        if (entry != null && entry.expires.isAfter(Instant.now())) {
            return@withLock entry.value
        }
        val value = loader(key)
        entries[key] = Entry(value, Instant.now().plus(ttl))
        value
    }

    fun lookup(key: K): Lookup<V> =
        entries[key]?.let { Lookup.Hit(it.value) } ?: Lookup.Miss

    companion object {
        fun <K : Any> counting(): LoadingCache<K, Int> {
            var next = 0
            return LoadingCache { next++ }
        }
    }
}

object Caches {
    fun clear() {
        println("cleared")
    }
}

/** Whether nothing is kept. */
fun LoadingCache<*, *>.isEmpty(): Boolean = size == 0

inline fun <reified T> typeName(): String {
    return T::class.simpleName ?: "?"
}
