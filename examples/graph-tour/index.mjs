import { readdir } from "node:fs/promises";
import { show } from "./show.mjs";

// Each demo is a graph, a script for its models, and a question. All of them, or those that are named.
const folder = new URL("demos/", import.meta.url);
const named = process.argv.slice(2);
for (const file of (await readdir(folder)).sort()) {
	const name = file.replace(/\.mjs$/, "");
	if (named.length > 0 && !named.includes(name)) continue;
	const { demo } = await import(new URL(file, folder));
	console.log(`## ${name}\n${await show(demo)}\n`);
}
