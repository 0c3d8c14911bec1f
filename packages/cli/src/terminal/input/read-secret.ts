import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { ConfigurationError } from "@stemma/core/errors";
import type { Terminal } from "../terminal";

/** Source of a secret: never the command line, which shells and lists of processes keep. */
export type SecretSource = { readonly variable: string } | "input";

/**
 * A secret from a variable of the environment or from standard input: asked for without showing it at a terminal, else
 * all that a pipe brings but the line break at its end.
 *
 * @param label - for messages: `API key`.
 * @throws ConfigurationError when there is none. It never repeats one.
 */
export async function readSecret(terminal: Terminal, source: SecretSource, label: string): Promise<string> {
	if (source === "input") return readInput(terminal, label);
	const value = process.env[source.variable];
	if (value) return value;
	throw new ConfigurationError(
		`No ${label} was given: ${describe(source.variable)} is not set, or it is empty.`,
		{
			hint: "Give the name of an environment variable that is set and exported, without $, or pipe the value in.",
		},
	);
}

/** Some would give the secret itself: only what cannot be one is repeated. */
const describe = (variable: string): string =>
	/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(variable)
		? `the environment variable ${variable}`
		: "an environment variable of that name";

async function readInput(terminal: Terminal, label: string): Promise<string> {
	const secret = terminal.stdin.isTTY
		? await promptForSecret(terminal, label)
		: (await readAll(terminal.stdin)).replace(/\r?\n$/, "");
	if (secret.trim() !== "") return secret;
	throw new ConfigurationError(`No ${label} was given: the input is empty.`, {
		hint: "Type or paste it when asked, or pipe it in: … < key.txt",
	});
}

async function promptForSecret({ stdin, stderr }: Terminal, label: string): Promise<string> {
	const nullOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: stdin, output: nullOutput, terminal: true, historySize: 0 });
	stderr.write(`${label} (it is not shown): `);
	try {
		return await readMultiline(lines);
	} finally {
		lines.close();
		stderr.write("\n");
	}
}

/** One line; several for a JSON object, so that no part of one that was pasted is left over for the shell. */
function readMultiline(lines: ReturnType<typeof createInterface>): Promise<string> {
	let text = "";
	return new Promise((resolve) => {
		lines.on("line", (line) => {
			text += text === "" ? line : `\n${line}`;
			if (!isIncompleteObject(text)) resolve(text);
		});
		lines.on("close", () => resolve(text));
		lines.on("SIGINT", () => {
			lines.close();
			process.kill(process.pid, "SIGINT");
		});
	});
}

function isIncompleteObject(text: string): boolean {
	if (!text.trimStart().startsWith("{")) return false;
	try {
		JSON.parse(text);
		return false;
	} catch {
		return true;
	}
}
