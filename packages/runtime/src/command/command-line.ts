import { parseArgs } from "node:util";
import type { RunLimits } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";
import type { ServerTimeouts } from "../http/node/node-server";
import { type FlagOption, type NumberOption, OPTIONS, type TextOption, toVariable } from "./options";

/** Request of a command line and its environment. */
export type CommandLine =
	| { readonly kind: "help" | "version" }
	| ({ readonly kind: "start" | "print-config" } & CommandSettings);

export interface CommandSettings {
	readonly folder: string;
	readonly port: number | undefined;
	readonly host: string | undefined;
	readonly trustedProxies: readonly string[] | undefined;
	readonly service: string | undefined;
	readonly strict: boolean;
	readonly allowAnonymous: boolean;
	readonly graceMs: number | undefined;
	readonly maxRuns: number | undefined;
	readonly limits: RunLimits;
	readonly timeouts: ServerTimeouts;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * An option counts before its variable. A variable that is set to nothing is not set.
 *
 * @throws ConfigurationError for anything that is not understood.
 */
export function parseCommandLine(args: readonly string[], env: Environment): CommandLine {
	const { values, positionals } = parse(args);
	if (values.help === true) return { kind: "help" };
	if (values.version === true) return { kind: "version" };
	const [folder = env.STEMMA_RUNTIME_AGENTS || undefined, ...more] = positionals;
	if (folder === undefined) throw invalidUsage("The folder of agent files is missing.");
	if (more.length > 0) throw invalidUsage(`Expected one folder, and got more: ${more.join(" ")}.`);
	const read = createOptionReader(values, env);
	return {
		kind: values["print-config"] === true ? "print-config" : "start",
		folder,
		port: read.number("port"),
		host: read.text("host"),
		trustedProxies: splitList(read.text("trusted-proxies")),
		service: read.text("service"),
		strict: read.flag("strict"),
		allowAnonymous: read.flag("allow-anonymous"),
		graceMs: read.number("grace-ms"),
		maxRuns: read.number("max-runs"),
		limits: omitUndefined({
			timeoutMs: read.number("timeout-ms"),
			maxSteps: read.number("max-steps"),
			maxDepth: read.number("max-depth"),
			maxTokens: read.number("max-tokens"),
		}),
		timeouts: omitUndefined({
			headerMs: read.number("header-timeout-ms"),
			requestMs: read.number("request-timeout-ms"),
			idleMs: read.number("idle-timeout-ms"),
			stalledMs: read.number("stalled-timeout-ms"),
		}),
	};
}

const splitList = (text: string | undefined): readonly string[] | undefined =>
	text
		?.split(",")
		.map((part) => part.trim())
		.filter((part) => part !== "");

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Reads options, each from the command line, else from its variable. */
function createOptionReader(values: Values, env: Environment) {
	/** The text and where it comes from. */
	function find(name: string): readonly [text: string, source: string] | undefined {
		const given = values[name];
		if (typeof given === "string") return [given, `--${name}`];
		const variable = toVariable(name);
		const text = env[variable];
		return text === undefined || text === "" ? undefined : [text, variable];
	}

	return {
		text: (name: TextOption): string | undefined => find(name)?.[0],
		number(name: NumberOption): number | undefined {
			const [text, source] = find(name) ?? [];
			if (text === undefined) return undefined;
			const { min, max } = OPTIONS[name];
			if (!/^\d{1,16}$/.test(text) || Number(text) < min || Number(text) > max)
				throw invalidUsage(`${source} has to be a whole number from ${min} to ${max}.`);
			return Number(text);
		},
		flag(name: FlagOption): boolean {
			if (values[name] === true) return true;
			const variable = toVariable(name);
			const text = env[variable] ?? "";
			if (!["", "true", "false", "1", "0"].includes(text))
				throw invalidUsage(`${variable} has to be true or false.`);
			return text === "true" || text === "1";
		},
	};
}

function parse(args: readonly string[]): {
	readonly values: Values;
	readonly positionals: readonly string[];
} {
	try {
		return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
	} catch (error) {
		// The first sentence names the option; the rest is advice about `--`.
		const [first = ""] = (error instanceof Error ? error.message : String(error)).split(". ");
		throw invalidUsage(`${first.replace(/\.$/, "")}.`);
	}
}

const invalidUsage = (message: string): ConfigurationError =>
	new ConfigurationError(message, { hint: "stemma-runtime --help lists the options." });
