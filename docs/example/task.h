#ifndef NAME_LEN
#define NAME_LEN 6
#endif

struct list {
	struct list *next, *prev;
};

enum task_state { TASK_RUNNING, TASK_SLEEPING };

struct task {
	struct list queue;
	char name[NAME_LEN];
	enum task_state state;
	int runtime;
};
