/* Macros of other libraries' headers that Belay's have to compile after. Those of <term.h>, which are plain
   words, are not among them: docs/site/tasks/hosts.md. */

/* <complex.h> */
#define complex _Complex
#define I _Complex_I

/* <curses.h> */
#define timeout(delay) wtimeout(stdscr, (delay))
#ifndef __cplusplus
#define border(a, b, c, d, e, f, g, h) wborder(stdscr, a, b, c, d, e, f, g, h)
#define box(win, v, h) wborder(win, v, v, h, h, 0, 0, 0, 0)
#define clear() wclear(stdscr)
#define erase() werase(stdscr)
#define getch() wgetch(stdscr)
#define move(y, x) wmove(stdscr, (y), (x))
#define refresh() wrefresh(stdscr)
#define scroll(win) wscrl(win, 1)
#define insert_line() winsdelln(stdscr, 1)
#endif

/* <QObject>, <QtGlobal> */
#define signals public
#define slots
#define emit
#define forever for (;;)
#define foreach(variable, container) for (variable : container)

/* <X11/Xlib.h>, <X11/X.h>, <X11/Xutil.h> */
#define None 0L
#define Bool int
#define Status int
#define True 1
#define False 0
#define Success 0
#define Always 2
#define Above 0
#define Below 1
#define Complex 0
#define Unsorted 0
#define CursorShape 0
#define KeyPress 2
#define FocusIn 9
#define AllValues 0xF
#define XValue 1

/* <sys/sysmacros.h>, <syslog.h> */
#define major(dev) gnu_dev_major(dev)
#define minor(dev) gnu_dev_minor(dev)
#define makedev(maj, min) gnu_dev_makedev(maj, min)
#define LOG_INFO 6
#define LOG_ERR 3
#define LOG_MASK(pri) (1 << (pri))
