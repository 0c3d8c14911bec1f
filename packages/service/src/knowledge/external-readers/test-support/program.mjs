// Program of an operator: `node program.mjs <behaviour> [<file>]` writes a file in upper case, or misbehaves.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const [behaviour, file] = process.argv.slice(2);
const input = () => (file === undefined ? text(process.stdin) : readFileSync(file, "utf8"));

const writeForEver = () => process.stdout.write("x".repeat(100_000), writeForEver);

switch (behaviour) {
	case "upper":
		process.stdout.write((await input()).toUpperCase());
		break;
	case "path":
		process.stdout.write(`# ${file?.split(/[/\\]/u).at(-1)}\n\n${await input()}`);
		break;
	case "environment":
		process.stdout.write(`names: ${Object.keys(process.env).sort().join(" ")}`);
		break;
	case "fail":
		process.stderr.write(`\nThe drawing is damaged.\n${"more ".repeat(1_000)}`);
		process.exit(3);
		break;
	case "flood":
		writeForEver();
		break;
	case "memory": {
		const kept = [];
		for (;;) {
			kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}
	case "hang":
		setInterval(() => undefined, 1_000);
		break;
}
