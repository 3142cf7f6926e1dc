#include "task.h"

struct task *current_task;

static void reset(struct task *task)
{
	task->runtime = 0;
}

void task_wake(struct task *task)
{
	reset(task);
	task->state = TASK_RUNNING;
	current_task = task;
}
