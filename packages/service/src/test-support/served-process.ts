import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CreatedWorkspace } from "@stemma/client";
import type { ConfigurationInput } from "../configuration/configuration-file";
import { type SendRequest, sendTo } from "./send-request";
import { getBody } from "./tenant";
import { fetchToken } from "./test-deployment";

/** A service in a process of its own, whose memory can be measured and which can be killed. */
export interface ServedProcess {
	readonly url: string;
	readonly folder: string;
	readonly token: string;
	readonly send: SendRequest;
	/** Makes a workspace. @returns what sends with its credentials. */
	addWorkspace(name: string): Promise<SendRequest>;
	/** The most memory that the process has ever had, in MiB. Linux alone tells. */
	readPeakMebibytes(): Promise<number>;
	/** Names of the files of uploads that are on their way to the store. */
	listSpool(): Promise<readonly string[]>;
	kill(): Promise<void>;
}

const script = fileURLToPath(new URL("../knowledge/test-support/serve.mjs", import.meta.url));

/** As much as Node takes by itself where a container has 1 GiB. */
const HEAP_MEBIBYTES = 512;

export const makeDataFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "stemma-served-"));

/**
 * @param folder - data folder; it is kept when the process is killed.
 * @param content - more of its configuration.
 */
export async function serveProcess(folder: string, content: ConfigurationInput = {}): Promise<ServedProcess> {
	const options = [`--max-old-space-size=${HEAP_MEBIBYTES}`, script, folder, JSON.stringify(content)];
	const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] });
	const [line] = await once(child.stdout, "data");
	const { url, credentials } = JSON.parse(String(line));
	const fetchCredentialToken = async (to: typeof credentials) =>
		fetchToken(sendTo(fetch, undefined, url), to);
	const token = await fetchCredentialToken(credentials);
	const send = sendTo(fetch, token, url);
	return {
		url,
		folder,
		token,
		send,
		async addWorkspace(name) {
			const made = await getBody<CreatedWorkspace>(send("POST", "/v1/workspaces", { json: { name } }));
			return sendTo(fetch, await fetchCredentialToken(made), url);
		},
		async readPeakMebibytes() {
			const status = await readFile(`/proc/${child.pid}/status`, "utf8");
			return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
		},
		listSpool: () => readdir(join(folder, "spool")),
		async kill() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill("SIGKILL");
			await once(child, "exit");
		},
	};
}

export const removeDataFolder = (folder: string): Promise<void> =>
	rm(folder, { recursive: true, force: true });
