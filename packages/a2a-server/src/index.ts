export type { PushConfigStore, TaskPage, TaskQuery, TaskRecord, TaskStart, TaskStore } from "./task-store";
