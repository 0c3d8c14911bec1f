import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Random } from "../random.ts";
import {
	type Api,
	type Credentials,
	createApi,
	fetchToken,
	NoResponseError,
	UnexpectedResponseError,
} from "../service/api.ts";
import { type ServiceProcess, startServiceProcess } from "../service/service-process.ts";

const program = fileURLToPath(new URL("serve.mjs", import.meta.url));

interface Instance {
	readonly folder: string;
	process: ServiceProcess;
	/** Undefined until it listens, and once it is killed. */
	url: string | undefined;
}

/** Instances of the service on one database, each a process with a folder of its own. */
export class Cluster {
	readonly #instances: Instance[] = [];
	readonly #environment: Readonly<Record<string, string>>;
	readonly #vendor: string;
	readonly #random: Random;
	#credentials: Credentials | undefined;
	token = "";

	constructor(environment: Readonly<Record<string, string>>, vendor: string, random: Random) {
		this.#environment = environment;
		this.#vendor = vendor;
		this.#random = random;
	}

	get size(): number {
		return this.#instances.length;
	}

	/** Starts one more. Returns the file with the credentials that its first start has written, and its address. */
	async add(): Promise<{ readonly url: string; readonly credentials: string }> {
		const folder = mkdtempSync(join(tmpdir(), "stemma-instance-"));
		const instance: Instance = { folder, process: this.#start(folder), url: undefined };
		this.#instances.push(instance);
		const ready = await instance.process.ready;
		instance.url = ready.url;
		return ready;
	}

	/** Gets a token, and another one once it has expired. */
	async authenticate(url: string, credentials: Credentials): Promise<void> {
		this.token = await fetchToken(url, credentials);
		this.#credentials = credentials;
	}

	#start = (folder: string): ServiceProcess =>
		startServiceProcess(folder, this.#vendor, [], { program, environment: this.#environment });

	/** Kills one of those that serve, and starts it again; resolves once it listens. */
	async killOne(): Promise<void> {
		const instance = this.#random.pick(this.#instances.filter(({ url }) => url !== undefined));
		if (instance === undefined) return;
		instance.url = undefined;
		await instance.process.kill();
		instance.process = this.#start(instance.folder);
		instance.url = (await instance.process.ready).url;
	}

	/** Suspends the process of an instance, to which nothing is sent then. Returns a function that lets it go on. */
	suspend(url: string): () => void {
		const instance = this.#instances.find((one) => one.url === url);
		if (instance === undefined) throw new Error(`No instance listens at ${url}.`);
		instance.url = undefined;
		instance.process.suspend();
		return () => {
			instance.process.resume();
			instance.url = url;
		};
	}

	/** Sends a request to any instance, and to another one where that is cut off or not there. */
	async send<Result>(work: (api: Api) => Promise<Result>): Promise<Result> {
		for (;;) {
			const url = this.#random.pick(this.#instances.flatMap(({ url }) => url ?? []));
			try {
				if (url !== undefined) return await work(createApi(url, this.token));
			} catch (error) {
				if (url !== undefined && isUnauthorized(error) && this.#credentials !== undefined)
					await this.authenticate(url, this.#credentials).catch(rethrowUnlessTemporary);
				else rethrowUnlessTemporary(error);
			}
			await wait(50);
		}
	}

	listErrors(): string[] {
		return this.#instances.flatMap(({ process }) => process.errorOutput);
	}

	async stop(): Promise<void> {
		for (const { process, folder } of this.#instances) {
			await process.kill();
			rmSync(folder, { recursive: true, force: true });
		}
	}
}

const hasStatus = (error: unknown, status: number): boolean =>
	error instanceof UnexpectedResponseError && error.message.includes(`: ${status} `);

const isUnauthorized = (error: unknown): boolean => hasStatus(error, 401);

function rethrowUnlessTemporary(error: unknown): void {
	if (!(error instanceof NoResponseError) && !hasStatus(error, 503)) throw error;
}
