"""Which system calls a program may make, as data: `sandbox.seccomp` turns it into what kernels and Docker read.

What is not named fails with ENOSYS, so that runtimes fall back to what is older and the calls of later kernels stay
closed. What is named and refused fails with the error that does least harm to a program that only tried. Nothing kills.
Calls are allowed whatever their arguments wherever that will do: of these the kernel remembers that it need not ask.
"""

from __future__ import annotations

import errno
from typing import Final

from sandbox.seccomp_arguments import CONNECTED_PAIRS, LOCAL_SOCKETS, MODES, PARTLY_ALLOWED
from sandbox.seccomp_rules import ALLOWED, UNKNOWN, Rule

__all__ = ["policy"]


def policy(*, namespaces: bool, own_user: bool = False) -> tuple[Rule, ...]:
    """The rules for a program that has namespaces of its own, or has not.

    `own_user`: it runs as a user who owns nothing but its scratch folder. With namespaces this makes no difference.
    """
    sockets = _SOCKETS_OF_ITS_OWN if namespaces else _NO_SOCKETS
    attributes = _ATTRIBUTES if namespaces or own_user else _NO_ATTRIBUTES
    return (*_ALLOWANCES, *PARTLY_ALLOWED, *sockets, *attributes, *_REFUSALS)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ATTRIBUTE_CALLS: Final = _words("""
    chown fchown fchownat fremovexattr fsetxattr futimesat lchown lremovexattr lsetxattr removexattr setxattr utime
    utimensat utimes
""")
_ALLOWANCES: Final = (
    Rule(
        "files, as far as the view of the file system leaves any to its user",
        _words("""
            access chdir close close_range copy_file_range dup dup2 dup3 faccessat faccessat2 fallocate fchdir
            fdatasync fgetxattr flistxattr fstat fstatfs fsync ftruncate getcwd getdents getdents64 getxattr lgetxattr
            link linkat listxattr llistxattr lseek lstat mkdir mkdirat newfstatat pread64 preadv pwrite64
            pwritev read readlink readlinkat readv rename renameat renameat2 rmdir sendfile stat statfs statx
            symlink symlinkat sync_file_range truncate umask unlink unlinkat write writev
        """),
        ALLOWED,
    ),
    Rule(
        "pipes and waiting",
        _words("""
            epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 pipe pipe2 poll
            ppoll pselect6 select signalfd signalfd4 splice tee timerfd_create timerfd_gettime timerfd_settime
        """),
        ALLOWED,
    ),
    Rule(
        "its own memory",
        _words("""
            brk map_shadow_stack memfd_create mlock mlock2 mlockall mmap mprotect mremap mseal msync munlock munlockall
            munmap pkey_alloc pkey_free pkey_mprotect
        """),
        ALLOWED,
    ),
    Rule(
        "processes and threads; whom it can signal is for namespaces and Landlock to say, which know whose they are",
        _words("""
            arch_prctl execve execveat exit exit_group fork futex futex_requeue futex_wait futex_waitv futex_wake
            getpgid getpgrp getpid getppid getpriority getrlimit getrusage getsid gettid kill membarrier pidfd_open
            pidfd_send_signal restart_syscall rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo
            rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min
            sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_yield
            set_robust_list set_tid_address setpgid setrlimit setsid sigaltstack tgkill times tkill vfork wait4 waitid
        """),
        ALLOWED,
    ),
    Rule(
        "time",
        _words("""
            alarm clock_getres clock_gettime clock_nanosleep getcpu getitimer gettimeofday nanosleep pause setitimer
            time timer_create timer_delete timer_getoverrun timer_gettime timer_settime
        """),
        ALLOWED,
    ),
    Rule(
        "who it is: what takes its rights away runs under the filter",
        _words("""
            capget capset getegid geteuid getgid getgroups getrandom getresgid getresuid getuid setfsgid setfsuid
            setgid setgroups setregid setresgid setresuid setreuid setuid uname
        """),
        ALLOWED,
    ),
    Rule(
        "how much memory there is; it tells the load as well, but glibc takes what it finds for the answer of a failed "
        "call, and the Java machine makes its heap a quarter of that",
        ("sysinfo",),
        ALLOWED,
    ),
    Rule(
        "sockets that it has",
        _words("""
            getpeername getsockname getsockopt recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto shutdown
        """),
        ALLOWED,
    ),
)

_ATTRIBUTES: Final = (*MODES, Rule("owners, times and attributes of its own files", _ATTRIBUTE_CALLS, ALLOWED))
_NO_ATTRIBUTES: Final = (
    Rule(
        "what Landlock does not guard: every file of its user is in reach",
        ("chmod", "fchmod", "fchmodat", "fchmodat2", *_ATTRIBUTE_CALLS),
        errno.EPERM,
    ),
)

_SOCKETS_OF_ITS_OWN: Final = (
    Rule("names of sockets lie in namespaces of its own", _words("accept accept4 bind connect listen"), ALLOWED),
    *LOCAL_SOCKETS,
)
_NO_SOCKETS: Final = (
    Rule("sockets of others are in reach", _words("accept accept4 bind connect listen socket"), errno.EPERM),
    *CONNECTED_PAIRS,
)

_REFUSALS: Final = (
    Rule(
        "C libraries fall back to clone, whose flags can be looked at",
        ("clone3",),
        UNKNOWN,
    ),
    Rule(
        "a read that must not wait tells what others have read; C libraries fall back to the calls without flags",
        ("preadv2", "pwritev2"),
        UNKNOWN,
    ),
    Rule(
        "it takes its mode from memory, where it can't be looked at",
        ("openat2",),
        UNKNOWN,
    ),
    Rule(
        "seeing what others open and read",
        _words("fanotify_init fanotify_mark inotify_add_watch inotify_init inotify_init1 inotify_rm_watch"),
        errno.EPERM,
    ),
    Rule(
        "seeing and changing what others have in the page cache; the time that a read takes still tells",
        _words("cachestat fadvise64 mincore readahead"),
        errno.EPERM,
    ),
    Rule(
        "shared objects with names of their own",
        _words("""
            mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink msgctl msgget msgrcv msgsnd semctl
            semget semop semtimedop shmat shmctl shmdt shmget
        """),
        errno.EPERM,
    ),
    Rule("keys belong to users", _words("add_key keyctl request_key"), errno.EPERM),
    Rule(
        "other views of the file system",
        _words("""
            chroot fsconfig fsmount fsopen fspick mount mount_setattr move_mount open_tree pivot_root setns umount
            umount2 unshare
        """),
        errno.EPERM,
    ),
    Rule("files by handle, past all folders", _words("name_to_handle_at open_by_handle_at"), errno.EPERM),
    Rule(
        "the insides of other processes",
        _words("""
            get_robust_list kcmp migrate_pages move_pages pidfd_getfd process_madvise process_mrelease
            process_vm_readv process_vm_writev ptrace
        """),
        errno.EPERM,
    ),
    Rule(
        "large and often broken parts of the kernel",
        _words("""
            bpf io_uring_enter io_uring_register io_uring_setup memfd_secret modify_ldt perf_event_open
            remap_file_pages userfaultfd vmsplice
        """),
        errno.EPERM,
    ),
    Rule("a filter of its own may write to the machine's log", ("seccomp",), errno.EPERM),
    Rule(
        "its core, its class and its memory's place are given",
        _words("""
            ioprio_get ioprio_set mbind sched_setaffinity sched_setattr sched_setparam sched_setscheduler
            set_mempolicy set_mempolicy_home_node setpriority get_mempolicy
        """),
        errno.EPERM,
    ),
    Rule(
        "the machine",
        _words("""
            acct adjtimex clock_adjtime clock_settime delete_module finit_module init_module ioperm iopl
            kexec_file_load kexec_load quotactl quotactl_fd reboot setdomainname sethostname settimeofday swapoff
            swapon sync syncfs syslog vhangup
        """),
        errno.EPERM,
    ),
)
