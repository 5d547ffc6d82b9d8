/**
 * Methods of strings, lists, files and the like: a call of one with an unknown receiver is not resolved by its name. From the
 * documentation of the standard libraries.
 */

export const ECMASCRIPT_METHODS = words(
  "push pop shift unshift slice splice concat map filter reduce reduceRight forEach find findIndex findLast some every includes indexOf lastIndexOf join sort reverse flat flatMap fill keys values entries at get set has delete clear add then catch finally toString valueOf toLowerCase toUpperCase trim trimStart trimEnd split replace replaceAll match matchAll test exec startsWith endsWith padStart padEnd repeat charAt charCodeAt substring substr call apply bind next return throw on once off emit addListener removeListener addEventListener removeEventListener dispatchEvent log warn error info debug stringify parse assign freeze create now resolve reject all race json text send write read end close pipe toFixed toISOString getTime hasOwnProperty isArray from of length size subscribe",
);
export const PYTHON_METHODS = words(
  "append extend insert remove pop clear index count sort reverse copy get keys values items update setdefault popitem add discard union intersection difference join split rsplit strip lstrip rstrip replace format encode decode startswith endswith lower upper title find rfind isdigit read write close readline readlines flush seek splitlines partition rpartition group groups match search sub findall send throw put get_nowait acquire release wait set is_set start run result cancel done mkdir exists open resolve is_file is_dir glob as_posix info debug warning error exception",
);
export const JVM_METHODS = words(
  "equals hashCode toString getClass notify wait add addAll remove get set put putAll containsKey contains containsAll size isEmpty clear iterator next hasNext keySet values entrySet stream map filter forEach collect orElse orElseThrow isPresent get ifPresent of append insert length charAt substring indexOf split trim replace startsWith endsWith format valueOf parse close read write flush run call apply accept test compareTo compare name ordinal getName getKey getValue toArray sort sum min max intValue longValue doubleValue toLowerCase toUpperCase matches println print",
);
export const RUST_METHODS = words(
  "unwrap expect unwrap_or unwrap_or_else unwrap_or_default map map_err and_then or_else ok err is_some is_none is_ok is_err iter iter_mut into_iter collect filter fold next clone cloned copied to_string to_owned into from as_ref as_mut as_str as_bytes push pop insert remove get get_mut contains contains_key len is_empty clear extend drain entry or_insert or_insert_with or_default keys values lock read write send recv await poll borrow borrow_mut take replace join split trim lines chars bytes parse starts_with ends_with find rev zip enumerate skip chain flat_map any all sum count min max sort sort_by fmt eq cmp hash drop deref default build",
);
export const GO_METHODS = words(
  "Error String Close Read Write Lock Unlock RLock RUnlock Add Done Wait Len Less Swap Set Get Printf Println Format Unmarshal Marshal Err Value Name",
);

export const SCALA_METHODS: ReadonlySet<string> = new Set([
  ...JVM_METHODS,
  ...words(
    "foldLeft foldRight fold exists forall slice drop dropRight dropWhile take takeRight takeWhile filterNot withFilter mkString addString collect collectFirst head headOption last lastOption tail init zip zipWithIndex unzip groupBy groupMap partition span splitAt sliding grouped distinct distinctBy sorted sortBy sortWith sum product max min maxBy minBy reduceLeft reduceRight reduceOption scanLeft indices indexWhere lastIndexOf patch updated updatedWith prepended appended toList toVector toSeq toSet toMap toArray toIndexedSeq toInt toLong toDouble toOption toRight toLeft view nonEmpty isDefined isEmpty getOrElse getOrElseUpdate orElse orNull contains flatten swap startsWith endsWith stripPrefix stripSuffix padTo tapEach foreach result addOne andThen compose curried tupled unapply",
  ),
]);
export const SWIFT_METHODS = words(
  "append insert remove removeAll removeFirst removeLast removeValue popLast map flatMap compactMap mapValues filter reduce forEach first last contains allSatisfy sort sorted reverse reversed shuffled enumerated joined split prefix suffix dropFirst dropLast min max index firstIndex lastIndex count starts hasPrefix hasSuffix lowercased uppercased replacingOccurrences trimmingCharacters components range data string encode decode hash union intersection subtract subtracting formUnion update merge merging swapAt reserveCapacity resume cancel lock unlock async sync sink store write read close open",
);
export const CSHARP_METHODS = words(
  "Add AddRange Insert Remove RemoveAt RemoveAll Clear Contains ContainsKey ContainsValue TryGetValue IndexOf LastIndexOf ToArray ToList ToDictionary ToString Equals GetHashCode GetType CompareTo CopyTo Sort Reverse Split Join Trim TrimStart TrimEnd Substring Replace StartsWith EndsWith ToLower ToUpper ToLowerInvariant ToUpperInvariant Append AppendLine AppendFormat Format Concat Select SelectMany Where Any All First FirstOrDefault Single SingleOrDefault Last LastOrDefault OrderBy OrderByDescending ThenBy GroupBy Cast OfType Distinct Count Sum Min Max Skip Take Zip Union Except Aggregate GetEnumerator MoveNext Dispose Close Flush Read ReadLine ReadToEnd Write WriteLine Push Pop Peek Enqueue Dequeue Invoke BeginInvoke EndInvoke GetValue SetValue Wait Start Stop Cancel Set Reset WaitOne Release AsTask GetAwaiter GetResult ConfigureAwait",
);
export const RUBY_METHODS = words(
  "each map select reject find detect collect inject reduce push pop shift unshift append prepend insert delete delete_if clear first last size length count empty? any? all? none? include? key? has_key? fetch dig keys values merge merge! update to_s to_a to_h to_i to_sym to_proc inspect join split strip sub gsub match match? start_with? end_with? freeze dup clone tap then call new send public_send respond_to? is_a? kind_of? instance_of? nil? present? blank? presence hash eql? equal? sort sort_by uniq flatten compact zip group_by partition each_with_index each_with_object min max sum reverse rotate sample slice take drop concat replace store values_at transform_values transform_keys name class method methods lock unlock synchronize wait signal close open read write puts print poll",
);
export const PHP_METHODS = words(
  "format modify getMessage getCode getPrevious getTrace getTraceAsString current key next rewind valid count getIterator offsetGet offsetSet offsetExists offsetUnset jsonSerialize fetch execute prepare query getName newInstance invoke append close call bind bindTo then wait resolve reject",
);
/** Methods of strings, files and coroutines; functions of tables are not called on a value. */
export const LUA_METHODS = words(
  "byte char find format gmatch gsub len lower match rep reverse sub upper read write lines seek flush close setvbuf",
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
