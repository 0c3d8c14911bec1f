import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { readFamilyCpuMs, readFamilyMebibytes } from "./process-family.mjs";

const MEBIBYTE = 1024 * 1024;

/** Module of `packages/protocol` as a URL. It is compiled here: Node's own compiler would count as memory of the service. */
function toModuleUrl(name) {
	const source = readFileSync(new URL(`../../../packages/protocol/src/${name}.ts`, import.meta.url), "utf8");
	return `data:text/javascript,${encodeURIComponent(transformSync(source, { loader: "ts" }).code)}`;
}

/**
 * Starts the built service over a data folder, in a process of its own.
 *
 * @param settings - of its configuration, besides those that all benchmarks have.
 * @param root - of the clone whose service it is; default: this one.
 * @param knownToken - for an instance on a database that has its first workspace already; default: that of the workspace
 * which this start creates.
 */
export async function startService(folder, settings = {}, root = undefined, knownToken = undefined) {
	const program = fileURLToPath(new URL("./child.mjs", import.meta.url));
	const child = fork(program, [folder, JSON.stringify(settings), ...(root === undefined ? [] : [root])], {
		execArgv: ["--disable-warning=ExperimentalWarning"],
		env: {
			...process.env,
			BENCH_STARTUP_MEMORY: toModuleUrl("startup-memory"),
			BENCH_YOUNG_SPACE: toModuleUrl("young-space"),
		},
	});
	const ended = once(child, "exit").then(([code]) => {
		throw new Error(`The service ended with ${code}. Is it built?`);
	});
	const [{ url, credentials, decryptMs }] = await Promise.race([once(child, "message"), ended]);
	ended.catch(() => undefined);
	const token = knownToken ?? (await fetchToken(url, JSON.parse(readFileSync(credentials, "utf8"))));
	async function send(method, path, body) {
		const isForm = body instanceof FormData;
		const response = await fetch(`${url}${path}`, {
			method,
			headers: {
				authorization: `Bearer ${token}`,
				...(body !== undefined && !isForm && { "content-type": "application/json" }),
			},
			body: body === undefined || isForm ? body : JSON.stringify(body),
		});
		const answer = await response.json();
		if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
		return answer;
	}
	return {
		url,
		token,
		pid: child.pid,
		decryptMs,
		send,
		/** In MiB. */
		async memory() {
			child.send("memory");
			const [{ rss }] = await once(child, "message");
			return rss / MEBIBYTE;
		},
		/** In MiB, with the processes that it has started. */
		memoryWithChildren: () => readFamilyMebibytes(child.pid),
		/** Processor time so far, in milliseconds, with the processes that it has started. */
		cpuWithChildren: () => readFamilyCpuMs(child.pid),
		/** Processor time of its process so far, in milliseconds. */
		async cpu() {
			child.send("cpu");
			const [{ cpu }] = await once(child, "message");
			return (cpu.user + cpu.system) / 1_000;
		},
		/** Begins to watch its event loop. */
		watchEventLoop: () => void child.send("watch-event-loop"),
		/** How late its timers were since then, and how long its thread was busy: see `watchEventLoop` of `event-loop.mjs`. */
		async eventLoop() {
			child.send("event-loop");
			const [{ eventLoop }] = await once(child, "message");
			return eventLoop;
		},
		/** How often it has opened a credential. */
		async decryptions() {
			child.send("decryptions");
			const [{ decryptions }] = await once(child, "message");
			return decryptions;
		},
		async stop() {
			child.send("stop");
			await once(child, "exit");
		},
	};
}

export async function fetchToken(url, { client_id, client_secret }) {
	const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const response = await fetch(`${url}/oauth/token`, { method: "POST", body });
	return (await response.json()).access_token;
}
