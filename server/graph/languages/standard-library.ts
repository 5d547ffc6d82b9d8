/** Names of the standard libraries of C, POSIX and Rust, which a workspace may redefine. */

/** Headers of C and POSIX without extension; headers of C++ have none. */
const HEADERS: ReadonlySet<string> = new Set(
  (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic " +
    "stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype " +
    "aio cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary mqueue ndbm netdb nl_types " +
    "poll pthread pwd regex sched search semaphore spawn strings stropts syslog tar termios trace ulimit unistd utime " +
    "utmpx wordexp alloca byteswap elf endian err execinfo getopt ifaddrs link malloc memory mntent paths pty resolv " +
    "sysexits termio ucontext values windows winsock2 ws2tcpip io process direct intrin"
  ).split(" "),
);
const FOLDERS = /^(?:sys|net|netinet|arpa|linux|asm|bits|mach|machine)\//;

/** Functions that programs often redefine, by a macro or a function of some builds. */
export const STANDARD_FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "malloc calloc realloc reallocarray free strdup strndup strlen strnlen strcmp strncmp strcasecmp strncasecmp strcpy " +
    "strncpy strlcpy strlcat strcat strncat strchr strrchr strstr strcasestr strsep strtok strtok_r strtol strtoul " +
    "strtoll strtoull strtod strerror strsignal memcpy memmove memset memcmp memchr memrchr memmem mempcpy stpcpy " +
    "printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf asprintf vasprintf puts fputs putchar " +
    "fopen fdopen freopen fclose fread fwrite fgets getline getdelim fseek ftell fflush perror " +
    "open openat close read write pread pwrite readv writev lseek fsync ftruncate dup dup2 pipe poll select ioctl fcntl " +
    "socket bind listen accept connect send recv sendto recvfrom sendmsg recvmsg setsockopt getsockopt shutdown " +
    "getaddrinfo freeaddrinfo gai_strerror inet_ntop inet_pton htons htonl ntohs ntohl " +
    "mmap munmap fork execvp waitpid kill getpid usleep sleep nanosleep gettimeofday clock_gettime localtime_r gmtime_r " +
    "getenv setenv unsetenv exit abort assert qsort bsearch rand random isnan isinf isfinite signbit " +
    "mkstemp mkdtemp mkdir rmdir unlink rename stat lstat fstat access basename dirname isatty daemon setproctitle " +
    "opendir readdir closedir chdir getcwd chmod chown link symlink readlink truncate utime utimes fdatasync fileno " +
    "sigaction signal raise alarm setitimer getuid geteuid getgid initgroups gethostname gethostbyname inet_ntoa " +
    "execv execve popen pclose system time mktime strftime tcgetattr setvbuf strchrnul strtoumax strtoimax " +
    "S_ISLNK S_ISREG S_ISDIR"
  ).split(" "),
);

/** Whether an include refers to a header of C, C++ or POSIX. */
export function isStandardHeader(module: string): boolean {
  if (FOLDERS.test(module)) return true;
  if (module.includes("/")) return false;
  return !module.includes(".") || HEADERS.has(module.replace(/\.h$/, ""));
}

/** Macros of the standard library of Rust: a call means another macro of the name only if it is imported. */
export const STANDARD_MACROS: ReadonlySet<string> = new Set(
  (
    "assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne env " +
    "eprint eprintln file format format_args include include_bytes include_str line matches module_path option_env " +
    "panic print println stringify thread_local todo unimplemented unreachable vec write writeln"
  ).split(" "),
);
