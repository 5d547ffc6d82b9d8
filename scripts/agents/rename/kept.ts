/** Names and words that belong to languages, protocols and everyday programming, and are therefore never renamed. */

/** Words without a meaning of their own in a name, formats and protocols. */
export const KEPT_WORDS: ReadonlySet<string> = new Set(
  `a an and any are as at be by can do each for from has if in is it its new no non not of off on only or out per so than
  that the then this to until up use used using via was when where which while will with without all both
  acme amqp api ascii asn aws base64 bool brotli bz2 byte bytes cel char cidr cli cpu crlf css csv dns dom ech eof fastcgi fcgi
  fd fs ftp gif git gzip html http https icmp id ids io ip ipv jpeg js json jwt ldap log2 lua lz4 markdown md md5 mime mtls
  mysql ocsp oauth oidc os pdf php pki png posix postgres proto protobuf ptr quic rdb redis2 rfc rpc s3 saml sha sha1 smtp
  sql ssh ssl stdin stdout stderr svg tcp tls toml tsx ts txt udp uid uint unix uri url urls utc utf utf8 uuid win windows
  darwin linux bsd freebsd openbsd solaris arm amd x86 avx sse xml yaml yml zip zlib zstd http2 http3 h2c sni cjk
  int int8 int16 int32 int64 float float64 double str string number func function fn class obj object arg args kwargs
  test tests testing spec mock fixture fixtures main index init src lib docs doc bin cmd internal vendor pkg public
  i j k n x y z s t v ok err ctx
  info path data code result results req resp res conn ctl callback async sync import keys range print print dump level
  source target title total debug width height array buf hdr len num idx pos cur tmp opts prefix suffix expected actual
  same other left right top bottom up down before after old begin end true false null zero one two first second multiple
  single small large big low high real raw plain sec msec usec nsec days hours minutes seconds time times year
  var env attr attrs cfg conf tmpl impl stat stats auto extra existing found made done kind like style mode op ops
  extend include insert compare repr iter loop step each line lines col cols text char word words page pages
  params cls cell cells dot slash comma colon bracket quote space tab prev next sub pre post mix mod max min add get set
  lower upper case digit ascii hex octal binary bit bits mask sign signed unsigned addr ptr size count sum avg mean
  parse print scan read write open close copy make run call exec init free alloc check test try catch throw panic
  abs pos neg inc dec incr decr cmp eq ne lt le gt ge xor mul div`.split(/\s+/),
);

/** Names that languages, runtimes and test programs require, and names of everyday programming. */
export const KEPT_NAMES: ReadonlySet<string> = new Set(
  `ServeHTTP MarshalJSON UnmarshalJSON MarshalText UnmarshalText String Error Read Write Close Len Less Swap Unwrap Is As
  Flush Hijack Push Header WriteHeader ReadFrom WriteTo RoundTrip Open Stat Name Size Mode ModTime IsDir Sys Seek Scan
  Dial DialContext Listen Accept Addr Lock Unlock Wait Done Add Load Store Delete Range Get Set Has Next Reset Value Values Key
  Keys Type Types Count Clear Clone Copy Equal Equals Format Parse Print Printf Println Log Debug Info Warn Fatal Panic
  main init setUp tearDown setUpClass tearDownClass get set has add remove delete clear pop push shift copy clone
  update items keys values append extend insert index count sort reverse join split strip replace find format encode decode
  open close read write flush seek readline readlines send recv connect bind listen accept run start stop wait
  name value data id key type size len length self this cls args kwargs other default true false null none undefined nil
  map filter reduce forEach some every includes indexOf slice splice concat toString valueOf constructor render then catch
  finally toJSON apply call prototype exports module require process console window document event error result results
  ToString GetHashCode Dispose DisposeAsync CompareTo GetEnumerator MoveNext Current Length Task async await static
  print input list dict set tuple object int float bool bytes str type super property iter next hash repr range
  hashCode equals apply unapply map flatMap fold foldLeft head tail isEmpty nonEmpty size pure attempt handleErrorWith
  memcpy malloc free calloc realloc printf strlen errno assert NULL EOF
  test it describe expect before after beforeEach afterEach fixture parametrize README LICENSE CHANGELOG AGENTS CLAUDE
  Makefile Dockerfile package tsconfig setup conf conftest`.split(/\s+/),
);

/** Python's special methods. */
export const KEPT_SHAPE = /^__\w+__$/;
