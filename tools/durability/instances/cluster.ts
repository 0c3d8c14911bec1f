import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Stemma } from "@stemma/client";
import { findStablePort } from "@stemma/simulators/processes";
import { startScaledProxy } from "../../proxies/start-deployed-proxy.ts";
import type { RunningProxy } from "../../proxies/start-proxy.ts";
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
	/** The same for all its processes, so that a proxy finds each of them. */
	readonly port: number;
	process: ServiceProcess;
	/** Undefined until it listens, and once it is killed. */
	url: string | undefined;
}

/** Instances of the service on one database, each a process with a folder and a port of its own. */
export class Cluster {
	readonly #instances: Instance[] = [];
	readonly #environment: Readonly<Record<string, string>>;
	readonly #vendor: string;
	readonly #random: Random;
	#credentials: Credentials | undefined;
	#proxy: RunningProxy | undefined;
	token = "";
	/** Times of all kills so far, in epoch milliseconds. */
	readonly killedAt: number[] = [];

	constructor(environment: Readonly<Record<string, string>>, vendor: string, random: Random) {
		this.#environment = environment;
		this.#vendor = vendor;
		this.#random = random;
	}

	get size(): number {
		return this.#instances.length;
	}

	/** Addresses of those that listen. */
	get urls(): readonly string[] {
		return this.#instances.flatMap(({ url }) => url ?? []);
	}

	/** Starts one more. Returns the file with the credentials that its first start has written, and its address. */
	async add(): Promise<{ readonly url: string; readonly credentials: string }> {
		const folder = mkdtempSync(join(tmpdir(), "stemma-instance-"));
		const port = await findStablePort();
		const instance: Instance = { folder, port, process: this.#start(folder, port), url: undefined };
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

	/** Starts Caddy before all instances: requests go there from now on. Returns the SDK of users, which knows that address alone. */
	async startProxy(): Promise<Stemma> {
		this.#proxy = await startScaledProxy(
			"caddy",
			this.#instances.map(({ port }) => `http://127.0.0.1:${port}`),
		);
		const { client_id: clientId = "", client_secret: clientSecret = "" } = this.#credentials ?? {};
		return new Stemma({ baseUrl: this.#proxy.url, clientId, clientSecret, maxRetries: MAX_RETRIES });
	}

	#start = (folder: string, port: number): ServiceProcess => {
		const environment = { ...this.#environment, STEMMA_INSTANCE_PORT: String(port) };
		return startServiceProcess(folder, this.#vendor, [], { program, environment });
	};

	/** Kills one of those that serve, and starts it again; resolves once it listens. */
	async killOne(): Promise<void> {
		const instance = this.#random.pick(this.#instances.filter(({ url }) => url !== undefined));
		if (instance === undefined) return;
		instance.url = undefined;
		this.killedAt.push(Date.now());
		await instance.process.kill();
		instance.process = this.#start(instance.folder, instance.port);
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

	/** Sends a request to the proxy or, without one, to any instance; again where that is cut off or not there. */
	async send<Result>(work: (api: Api) => Promise<Result>): Promise<Result> {
		for (;;) {
			const url = this.#proxy?.url ?? this.#random.pick(this.urls);
			const sent = url === undefined ? undefined : await this.trySend(url, work);
			if (sent !== undefined) return sent.result;
			await wait(50);
		}
	}

	/** Sends a request to an address. Returns undefined where that is cut off or not there. */
	async trySend<Result>(
		url: string,
		work: (api: Api) => Promise<Result>,
	): Promise<{ readonly result: Result } | undefined> {
		try {
			return { result: await work(createApi(url, this.token)) };
		} catch (error) {
			if (isUnauthorized(error) && this.#credentials !== undefined)
				await this.authenticate(url, this.#credentials).catch(rethrowUnlessTemporary);
			else rethrowUnlessTemporary(error);
			return undefined;
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
		// It waits for the streams that are open.
		await this.#proxy?.stop();
	}
}

/** Enough for the time in which Postgres recovers on a busy machine, and no instance is ready. */
const MAX_RETRIES = 8;
/** Of an instance without its database, and of the proxy: an instance has ended before it answered, or there is none. */
const TEMPORARY = [502, 503];

const hasStatus = (error: unknown, status: number): boolean =>
	error instanceof UnexpectedResponseError && error.message.includes(`: ${status} `);

const isUnauthorized = (error: unknown): boolean => hasStatus(error, 401);

function rethrowUnlessTemporary(error: unknown): void {
	if (error instanceof NoResponseError || TEMPORARY.some((status) => hasStatus(error, status))) return;
	throw error;
}
