import { describeTaskRepository } from "../test-support/task-repository-contract";
import { MemoryTasks } from "./memory-tasks";
import type { StoredTask } from "./task-repository";

describeTaskRepository("memory", async () => {
	const all: StoredTask[] = [];
	return { tasks: new MemoryTasks(() => all), add: async (task) => void all.push(task) };
});
