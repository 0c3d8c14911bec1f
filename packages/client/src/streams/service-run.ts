import type { ServiceRequest, StemmaClient } from "../client";
import type { CallOptions } from "../options/call-options";
import { readJsonEvents } from "./event-source";
import type { RunCursor } from "./run-cursor";
import type { RunConnection, RunSource } from "./run-source";
import type { StartResponse } from "./run-stream-state";

/** Run to start or to rejoin, under the routes of the service or of a runtime. */
export interface ServiceRunOptions {
	/** Starts the run; left out for a run that is there. */
	readonly start?: ServiceRequest | undefined;
	/** True where a run that is started with `background` goes on by itself, without a connection. */
	readonly supportsBackground?: boolean | undefined;
	/** `/v1/runs/…` */
	readonly runPath: (runId: string) => string;
	/** Options of every request. */
	readonly options: CallOptions;
}

/** Run of the service or of a runtime, read in the way that the platform allows. */
export class ServiceRun implements RunSource {
	readonly #client: StemmaClient;
	readonly #run: Omit<ServiceRunOptions, "start">;
	/** Starts it, while its id is not known; let go then, as what it is given may be long. */
	#start: ServiceRequest | undefined;

	constructor(client: StemmaClient, { start, ...run }: ServiceRunOptions) {
		this.#client = client;
		this.#run = run;
		this.#start = start;
	}

	async read(connection: RunConnection): Promise<void> {
		if (this.#client.canStream || !this.#run.supportsBackground) return this.#stream(connection);
		// Most platforms never need it.
		const { pollRun } = await import("./polled-run");
		return pollRun(this.#client, connection, () => this.#toReadRequest(connection));
	}

	cancel(cursor: RunCursor): Promise<unknown> {
		return this.#client.request(this.#toRunRequest(cursor, "POST", "cancel"));
	}

	/** Reads the events as server-sent events. */
	async #stream(connection: RunConnection): Promise<void> {
		const request = this.#toReadRequest(connection);
		const response = await this.#client.open({
			...request,
			accept: "text/event-stream",
			isResumable: true,
			headers: { ...request.headers, "last-event-id": connection.cursor().seq || undefined },
		});
		// What is answered whole (a run that had ended before it was asked for again) has no events, but names the run.
		const { requestId } = response;
		const start = response.isJson ? await response.json<StartResponse>() : undefined;
		connection.emit({ type: "opened", requestId, ...(start && { start }) });
		if (start !== undefined) return;
		return readJsonEvents(response, (event, length) => {
			const handled = connection.emit({ type: "event", event, length, requestId });
			this.#start = undefined;
			return handled;
		});
	}

	/** Asks for the events, or starts the run while its id is not known. The stream itself tries again. */
	#toReadRequest({ cursor, signal, emit }: RunConnection): ServiceRequest {
		const request =
			cursor().run_id === undefined && this.#start !== undefined
				? { ...this.#start, onSend: () => void emit({ type: "sent" }) }
				: this.#toRunRequest(cursor(), "GET", "events");
		return { ...request, retry: "never", options: { ...this.#run.options, ...request.options, signal } };
	}

	/** One of the run's own routes. */
	#toRunRequest(
		{ run_id = "", run_token }: RunCursor,
		method: "GET" | "POST",
		action: "events" | "cancel",
	): ServiceRequest {
		const { runPath, options } = this.#run;
		return {
			method,
			path: `${runPath(run_id)}/${action}`,
			headers: { "stemma-run-token": run_token },
			options,
		};
	}
}
