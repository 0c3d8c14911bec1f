import { readFile, rename, writeFile } from "node:fs/promises";
import { createMcpClient, createMcpLock, type McpLock } from "@stemma/client/mcp";
import { ConfigurationError } from "@stemma/core/errors";
import { compareLocks } from "../mcp/compare-locks";
import { writeToolTypes } from "../mcp/tool-types";
import { count } from "../terminal/count";
import { readSecret } from "../terminal/read-secret";
import { type Terminal, withoutControls } from "../terminal/terminal";

export interface McpTypesOptions {
	/** The TypeScript file; the lock is beside it. */
	readonly out: string;
	/** The name of the variable that has the token. */
	readonly tokenEnv?: string;
	readonly tokenStdin: boolean;
	/** Writes nothing, and tells whether what is written is still true. */
	readonly check: boolean;
}

/** Writes the types and the lock of a server's tools, or checks those that are there. Returns the exit code. */
export async function mcpTypes(terminal: Terminal, url: string, options: McpTypesOptions): Promise<number> {
	const lockFile = toLockFile(options.out);
	const client = createMcpClient({ url, token: await readToken(terminal, options) });
	try {
		const { tools } = await client.listTools();
		const lock = await createMcpLock(tools);
		if (options.check) return await check(terminal, lockFile, lock);
		const { name, protocolVersion } = await client.server();
		await writeWhole(options.out, writeToolTypes(tools, toHeader(name)));
		await writeWhole(lockFile, `${JSON.stringify(lock, undefined, "\t")}\n`);
		terminal.stdout.write(
			`${withoutControls(name)} (MCP ${protocolVersion}) has ${count(tools.length, "tool")}.\nWrote ${options.out} and ${lockFile}.\n`,
		);
		return 0;
	} finally {
		await client.close();
	}
}

const toHeader = (server: string): string =>
	`The tools of the MCP server "${server}", for createMcpClient<Tools>(…).\nWritten by "stemma mcp types": write it anew instead of changing it.`;

function toLockFile(out: string): string {
	if (/\.[cm]?ts$/.test(out)) return out.replace(/(\.d)?\.[cm]?ts$/, ".lock.json");
	throw new ConfigurationError(`"${out}" is no TypeScript file.`, {
		hint: "Name one: --out orders.tools.ts",
	});
}

/** None where none is asked for: many servers are open. */
async function readToken(
	terminal: Terminal,
	{ tokenEnv, tokenStdin }: McpTypesOptions,
): Promise<string | undefined> {
	if (tokenEnv !== undefined) return readSecret(terminal, { variable: tokenEnv }, "token");
	return tokenStdin ? readSecret(terminal, "input", "token") : undefined;
}

async function check({ stdout }: Terminal, lockFile: string, lock: McpLock): Promise<number> {
	const differences = compareLocks(await readLock(lockFile), lock);
	if (differences.length === 0) {
		stdout.write(`${lockFile} is as the server has its tools.\n`);
		return 0;
	}
	stdout.write(`The server has changed its tools since ${lockFile} was written:\n`);
	for (const difference of differences) stdout.write(`  ${withoutControls(difference)}\n`);
	return 1;
}

async function readLock(file: string): Promise<McpLock> {
	try {
		// `compareLocks` looks at what is in it.
		return JSON.parse(await readFile(file, "utf8")) as McpLock;
	} catch (cause) {
		throw new ConfigurationError(`There is no lock to check in "${file}".`, {
			hint: "Write one first: the same command without --check.",
			cause,
		});
	}
}

/** Whoever reads the file meanwhile finds the one before, or this one. */
async function writeWhole(file: string, text: string): Promise<void> {
	const draft = `${file}.${process.pid}.tmp`;
	await writeFile(draft, text);
	await rename(draft, file);
}
