import { isStemmaError } from "@stemma/core/errors";
import { visibleText } from "@stemma/core/internal";
import { untilStopped } from "@stemma/protocol";
import { startSpanExport } from "@stemma/telemetry";
import { version } from "../../package.json";
import { connectService } from "../service-connection";
import { type RunningRuntime, startRuntime } from "../start-runtime";
import { type CommandSettings, parseCommandLine } from "./command-line";
import { describeSettings } from "./describe-settings";
import { HELP } from "./options";
import { describeUnknownVariables } from "./unknown-variables";

/** Parts of the process that the command uses. */
export interface CommandIo {
	readonly stdout: { write(text: string): unknown };
	readonly stderr: { write(text: string): unknown };
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Aborted when the runtime has to stop. */
	readonly signal: AbortSignal;
	/** Called when the runtime listens. */
	readonly onStarted?: (() => void) | undefined;
}

/** Runs `stemma-runtime` until it is stopped. Returns the exit code; nothing is thrown. */
export async function runRuntimeCommand(args: readonly string[], io: CommandIo): Promise<number> {
	try {
		const line = parseCommandLine(args, io.env);
		if (line.kind === "start") await serve(line, io);
		else if (line.kind === "print-config") io.stdout.write(describeSettings(line, io.env));
		else io.stdout.write(line.kind === "help" ? HELP : `${version}\n`);
		return 0;
	} catch (error) {
		io.stderr.write(visibleText(describe(error)));
		return 1;
	}
}

async function serve(
	{ folder, service, graceMs, kind: _, ...settings }: CommandSettings & { readonly kind: string },
	{ env, signal, stderr, onStarted }: CommandIo,
): Promise<void> {
	const log = (text: string): void => void stderr.write(`${visibleText(text)}\n`);
	for (const note of describeUnknownVariables(env)) log(note);
	const spans = await startSpanExport({
		service: { name: "stemma-runtime", version },
		environment: env,
		log,
	});
	const runtime = await startRuntime({
		...connectService({
			baseUrl: service,
			clientId: env.STEMMA_CLIENT_ID,
			clientSecret: env.STEMMA_CLIENT_SECRET,
		}),
		...settings,
		agents: folder,
		token: env.STEMMA_RUNTIME_TOKEN || undefined,
		tracerProvider: spans?.tracerProvider,
		log,
	});
	log(`Stemma runtime ${version} listens on ${runtime.url}. ${runtime.describe()}`);
	onStarted?.();
	await untilStopped(signal);
	await stop(runtime, graceMs, log);
	await spans?.stop();
}

async function stop(
	runtime: RunningRuntime,
	graceMs: number | undefined,
	log: (text: string) => void,
): Promise<void> {
	log("Stopping: no new runs; active runs may finish.");
	await runtime.close(graceMs);
	log("Stopped.");
}

function describe(error: unknown): string {
	if (!isStemmaError(error)) return `error: ${error instanceof Error ? error.message : String(error)}\n`;
	const hint = error.hint === undefined ? "" : `hint:  ${error.hint}\n`;
	return `error: ${error.message}\n${hint}`;
}
