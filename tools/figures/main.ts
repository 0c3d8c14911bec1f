// npm run figures: measures the code, and prints the figures; --json prints all of them. --write also writes docs/figures.md, and lowers
// the lists of known leftovers of tools/guards.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countBy } from "../language/count-by.ts";
import { findAllLanguageViolations, toTodoKey } from "../language/find-language-violations.ts";
import { lowerTodo, readTodo, writeTodo } from "../language/todo.ts";
import { root } from "../sources/list-files.ts";
import { formatFigures, formatPage } from "./format-figures.ts";
import { type Measurement, measure } from "./measure.ts";

const { values } = parseArgs({
	options: { json: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});

const measurement = measure();
console.log(values.json ? JSON.stringify(measurement, undefined, "\t") : formatFigures(measurement));
if (values.write) write(measurement);

function write(now: Measurement): void {
	const before = JSON.parse(readFileSync(new URL("before.json", import.meta.url), "utf8"));
	writeFileSync(join(root, "docs/figures.md"), formatPage(before, now));
	const names = new Map(now.coinedNames.map(({ name, uses }) => [name, uses]));
	writeTodo("coined-names", lowerTodo(names, readTodo("coined-names")));
	const violations = countBy(findAllLanguageViolations(), toTodoKey);
	writeTodo("language", lowerTodo(violations, readTodo("language")));
}
