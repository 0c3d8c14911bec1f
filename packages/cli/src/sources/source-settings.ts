import { resolve } from "node:path";
import type { GitSourceSettings, SourceCreate } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";

/** Kinds of sources. */
export const SOURCE_KINDS = ["url", "site", "git", "s3", "folder"] as const;

export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Options that some kinds of sources have. */
export interface SettingsOptions {
	readonly include?: readonly string[];
	readonly exclude?: readonly string[];
	readonly depth?: number;
	readonly pages?: number;
	readonly delayMs?: number;
	readonly ref?: string;
	readonly path?: string;
	readonly host?: NonNullable<GitSourceSettings["host"]>;
	readonly archive?: string;
	readonly region?: string;
	readonly endpoint?: string;
	readonly virtualHost?: boolean;
}

/** Options by the kinds that have them, besides those of all. */
const OPTIONS: Readonly<Record<SourceKind, readonly (keyof SettingsOptions)[]>> = {
	url: [],
	site: ["include", "exclude", "depth", "pages", "delayMs"],
	git: ["include", "exclude", "ref", "path", "host", "archive"],
	s3: ["include", "exclude", "region", "endpoint", "virtualHost"],
	folder: ["include", "exclude"],
};

/**
 * Settings of a source from what was given on the command line. The path of a folder may be relative.
 *
 * @throws ConfigurationError for an option that the kind does not have, and for an S3 location that is none.
 */
export function toSourceSettings(
	kind: SourceKind,
	location: string,
	options: SettingsOptions,
): SourceCreate["settings"] {
	const given = omitUndefined(options);
	for (const name of Object.keys(given))
		if (!OPTIONS[kind].some((known) => known === name)) throw unknownOption(kind, name);
	const { depth, pages, delayMs, archive, virtualHost, ...same } = given;
	if (kind === "url") return { kind, url: location };
	if (kind === "folder") return { kind, path: resolve(location), ...same };
	if (kind === "site") {
		const limits = { max_depth: depth, max_pages: pages, delay_ms: delayMs };
		return { kind, url: location, ...same, ...omitUndefined(limits) };
	}
	if (kind === "git") return { kind, url: location, ...same, ...omitUndefined({ archive_url: archive }) };
	const [, bucket, prefix] = /^s3:\/\/([^/]+)\/?(.*)$/s.exec(location) ?? [];
	if (bucket === undefined)
		throw new ConfigurationError("The location of an S3 source must be s3://<bucket>/<prefix>.", {
			hint: "Such as s3://handbook/public. For a server that is not AWS, name it with --endpoint.",
		});
	return {
		kind,
		bucket,
		...(prefix !== "" && { prefix }),
		...same,
		...omitUndefined({ virtual_host: virtualHost }),
	};
}

function unknownOption(kind: SourceKind, name: string): ConfigurationError {
	const known = OPTIONS[kind].map(toFlag).join(", ");
	return new ConfigurationError(`A source of the kind "${kind}" has no ${toFlag(name)}.`, {
		hint: known === "" ? "It has no options of its own." : `It has ${known}.`,
	});
}

/** Option as it is typed: `--delay-ms` of `delayMs`. */
const toFlag = (name: string): string =>
	`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
