import { isStemmaError } from "@stemma/core/errors";
import { version } from "../../package.json";
import { connectService } from "../service-connection";
import { type RunningRuntime, startRuntime } from "../start-runtime";
import { type CommandLine, HELP, parseCommandLine } from "./command-line";

/** What the command has of its process. */
export interface CommandIo {
	readonly stdout: { write(text: string): unknown };
	readonly stderr: { write(text: string): unknown };
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Aborted when the runtime has to stop. */
	readonly signal: AbortSignal;
}

/** Runs `stemma-runtime` until it is stopped. Returns the exit code; nothing is thrown. */
export async function runRuntimeCommand(args: readonly string[], io: CommandIo): Promise<number> {
	try {
		const line = parseCommandLine(args);
		if (line.kind === "start") await serve(line, io);
		else io.stdout.write(line.kind === "help" ? HELP : `${version}\n`);
		return 0;
	} catch (error) {
		io.stderr.write(describe(error));
		return 1;
	}
}

async function serve(line: CommandLine & { readonly kind: "start" }, io: CommandIo): Promise<void> {
	const { folder, port, host, strict, allowAnonymous, service, graceMs } = line;
	const log = (text: string): void => void io.stderr.write(`${text}\n`);
	const runtime = await startRuntime({
		...connectService({
			baseUrl: service ?? io.env.STEMMA_BASE_URL,
			clientId: io.env.STEMMA_CLIENT_ID,
			clientSecret: io.env.STEMMA_CLIENT_SECRET,
		}),
		agents: folder,
		token: io.env.STEMMA_RUNTIME_TOKEN || undefined,
		port,
		host,
		strict,
		allowAnonymous,
		log,
	});
	log(`Stemma runtime ${version} listens on ${runtime.url}. ${runtime.describe()}`);
	await stopped(io.signal);
	await stop(runtime, graceMs, log);
}

const stopped = (signal: AbortSignal): Promise<void> =>
	new Promise((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener("abort", () => resolve());
	});

async function stop(
	runtime: RunningRuntime,
	graceMs: number | undefined,
	log: (text: string) => void,
): Promise<void> {
	log("Stopping: no new runs; those under way may end.");
	await runtime.close(graceMs);
}

function describe(error: unknown): string {
	if (!isStemmaError(error)) return `error: ${error instanceof Error ? error.message : String(error)}\n`;
	const hint = error.hint === undefined ? "" : `hint:  ${error.hint}\n`;
	return `error: ${error.message}\n${hint}`;
}
