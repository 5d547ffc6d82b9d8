/** Names of methods that every program calls on strings, lists and files: an unknown receiver of one is most often such. */

/** By language; from the documentation of each standard library. */
const ECMASCRIPT =
  "push pop shift unshift slice splice concat map filter reduce reduceRight forEach find findIndex findLast some every includes indexOf lastIndexOf join sort reverse flat flatMap fill keys values entries at get set has delete clear add then catch finally toString valueOf toLowerCase toUpperCase trim trimStart trimEnd split replace replaceAll match matchAll test exec startsWith endsWith padStart padEnd repeat charAt charCodeAt substring substr call apply bind next return throw on once off emit addListener removeListener addEventListener removeEventListener dispatchEvent log warn error info debug stringify parse assign freeze create now resolve reject all race json text send write read end close pipe toFixed toISOString getTime hasOwnProperty isArray from of length size subscribe";
const PYTHON =
  "append extend insert remove pop clear index count sort reverse copy get keys values items update setdefault popitem add discard union intersection difference join split rsplit strip lstrip rstrip replace format encode decode startswith endswith lower upper title find rfind isdigit read write close readline readlines flush seek splitlines partition rpartition group groups match search sub findall send throw put get_nowait acquire release wait set is_set start run result cancel done mkdir exists open resolve is_file is_dir glob as_posix info debug warning error exception";
const JVM =
  "equals hashCode toString getClass notify wait add addAll remove get set put putAll containsKey contains containsAll size isEmpty clear iterator next hasNext keySet values entrySet stream map filter forEach collect orElse orElseThrow isPresent get ifPresent of append insert length charAt substring indexOf split trim replace startsWith endsWith format valueOf parse close read write flush run call apply accept test compareTo compare name ordinal getName getKey getValue toArray sort sum min max intValue longValue doubleValue toLowerCase toUpperCase matches println print";
const RUST =
  "unwrap expect unwrap_or unwrap_or_else unwrap_or_default map map_err and_then or_else ok err is_some is_none is_ok is_err iter iter_mut into_iter collect filter fold next clone cloned copied to_string to_owned into from as_ref as_mut as_str as_bytes push pop insert remove get get_mut contains contains_key len is_empty clear extend drain entry or_insert or_insert_with or_default keys values lock read write send recv await poll borrow borrow_mut take replace join split trim lines chars bytes parse starts_with ends_with find rev zip enumerate skip chain flat_map any all sum count min max sort sort_by fmt eq cmp hash drop deref default build";
const GO =
  "Error String Close Read Write Lock Unlock RLock RUnlock Add Done Wait Len Less Swap Set Get Printf Println Format Unmarshal Marshal Err Value Name";

const NAMES: Readonly<Record<string, ReadonlySet<string>>> = {
  javascript: words(ECMASCRIPT),
  typescript: words(ECMASCRIPT),
  tsx: words(ECMASCRIPT),
  python: words(PYTHON),
  java: words(JVM),
  kotlin: words(JVM),
  scala: words(JVM),
  rust: words(RUST),
  go: words(GO),
};

export function isBuiltInMethod(language: string, name: string): boolean {
  return NAMES[language]?.has(name) ?? false;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
