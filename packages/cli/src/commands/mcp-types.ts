import { readFile } from "node:fs/promises";
import { createMcpClient, createMcpLock, type McpLock } from "@stemma/client/mcp";
import { ConfigurationError } from "@stemma/core/errors";
import { createServiceToken, findServiceAt } from "../connection/service-token";
import type { ConnectionOptions } from "../connection/with-service";
import { writeFileAtomically } from "../connection/write-file-atomically";
import { compareLocks } from "../mcp/compare-locks";
import { explainServerError, type UsedCredential } from "../mcp/explain-server-error";
import { writeToolTypes } from "../mcp/tool-types";
import { readSecret } from "../terminal/input/read-secret";
import { sanitizeLine, type Terminal } from "../terminal/terminal";
import { count } from "../terminal/text/count";

/** Options of `stemma mcp types`: a TypeScript file and a lock of a server's tools. */
export interface McpTypesOptions extends Pick<ConnectionOptions, "data"> {
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
	const server = parseUrl(url);
	const { token, credential } = await findCredential(terminal, server, options);
	const client = createMcpClient({ url: server.href, token, retryDelayMs: 200 });
	try {
		const { tools } = await client.listTools();
		const lock = await createMcpLock(tools);
		if (options.check) return await check(terminal, lockFile, lock);
		const { name, protocolVersion } = await client.server();
		await writeFileAtomically(options.out, writeToolTypes(tools, toHeader(name)));
		await writeFileAtomically(lockFile, `${JSON.stringify(lock, undefined, "\t")}\n`);
		terminal.stdout.write(
			`${sanitizeLine(name)} (MCP ${protocolVersion}) has ${count(tools.length, "tool")}.\nWrote ${options.out} and ${lockFile}.\n`,
		);
		return 0;
	} catch (error) {
		// A query may have a secret in it.
		throw explainServerError(error, `${server.origin}${server.pathname}`, credential);
	} finally {
		await client.close();
	}
}

/** Repeats nothing: there may be a password in it. */
function parseUrl(text: string): URL {
	const url = URL.parse(text);
	const isPlain = url?.username === "" && url.password === "" && url.hash === "";
	if (url !== null && isPlain && /^https?:$/.test(url.protocol)) return url;
	throw new ConfigurationError("The argument <url> is not a valid address.", {
		hint: "Pass an http or https address such as https://orders.example/mcp, without a user name, password or fragment.",
	});
}

const toHeader = (server: string): string =>
	`The tools of the MCP server "${server}", for createMcpClient<Tools>(…).\nWritten by "stemma mcp types": run the command again instead of editing this file.`;

function toLockFile(out: string): string {
	if (/\.[cm]?ts$/.test(out)) return out.replace(/(\.d)?\.[cm]?ts$/, ".lock.json");
	throw new ConfigurationError(`"${out}" is not a TypeScript file.`, {
		hint: "Name one: --out orders.tools.ts",
	});
}

interface FoundCredential {
	readonly token?: string | (() => Promise<string>);
	readonly credential: UsedCredential;
}

/** The token that was given, else that of a service for its own server; none where there is neither: many servers are open. */
async function findCredential(
	terminal: Terminal,
	server: URL,
	options: McpTypesOptions,
): Promise<FoundCredential> {
	const { tokenEnv, tokenStdin } = options;
	const source = tokenEnv === undefined ? "input" : { variable: tokenEnv };
	if (tokenStdin || tokenEnv !== undefined)
		return { token: await readSecret(terminal, source, "token"), credential: { kind: "token" } };
	const service = await findServiceAt(server, options, process.env);
	if (service === undefined) return { credential: { kind: "none" } };
	return {
		token: createServiceToken(service),
		credential: { kind: "service", source: service.credentialSource },
	};
}

async function check({ stdout }: Terminal, lockFile: string, lock: McpLock): Promise<number> {
	const differences = compareLocks(await readLock(lockFile), lock);
	if (differences.length === 0) {
		stdout.write(`${lockFile} matches the server's tools.\n`);
		return 0;
	}
	stdout.write(`The server has changed its tools since ${lockFile} was written:\n`);
	for (const difference of differences) stdout.write(`  ${sanitizeLine(difference)}\n`);
	return 1;
}

async function readLock(file: string): Promise<McpLock> {
	try {
		// `compareLocks` looks at what is in it.
		return JSON.parse(await readFile(file, "utf8")) as McpLock;
	} catch (cause) {
		throw new ConfigurationError(`There is no lock to check in "${file}".`, {
			hint: "Write one first: run the same command without --check.",
			cause,
		});
	}
}
