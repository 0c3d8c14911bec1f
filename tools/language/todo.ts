import { readFileSync, writeFileSync } from "node:fs";

/** Known leftovers that a guard lets pass, and how many of each; it may only shrink. */
export type Todo = Readonly<Record<string, number>>;

const toUrl = (name: string): URL => new URL(`../guards/${name}.todo.json`, import.meta.url);

/** Reads `tools/guards/<name>.todo.json`. */
export const readTodo = (name: string): Todo => JSON.parse(readFileSync(toUrl(name), "utf8"));

/** Leftovers that are more than the list allows, or not in it. */
export const listExcess = (counts: ReadonlyMap<string, number>, todo: Todo): string[] =>
	[...counts].filter(([key, count]) => count > (todo[key] ?? 0)).map(([key]) => key);

/** Lowers the numbers of a list to those of today, and drops what is done; no number rises. */
export function lowerTodo(counts: ReadonlyMap<string, number>, todo: Todo): Todo {
	const lowered = Object.entries(todo).map(([key, count]): [string, number] => [
		key,
		Math.min(count, counts.get(key) ?? 0),
	]);
	return Object.fromEntries(lowered.filter(([, count]) => count > 0));
}

/** Writes `tools/guards/<name>.todo.json`, sorted by key. */
export function writeTodo(name: string, todo: Todo): void {
	const sorted = Object.entries(todo).sort(([one], [other]) => one.localeCompare(other));
	writeFileSync(toUrl(name), `${JSON.stringify(Object.fromEntries(sorted), undefined, "\t")}\n`);
}
