/* pointers to functions: no parameters, many, names, "...", functions that give functions */
int (*none)(void);
int (*unspecified)();
void (*many)(char, short, int, long, void *, const char *);
int (*dots)(const char *fmt, ...);
int (*(*returns)(int))(char);
void takes(int (*cb)(int))
{
	cb(1);
}
struct ops {
	int (*open)(struct ops *self, int mode);
	void (*close)(struct ops *);
} ops;
