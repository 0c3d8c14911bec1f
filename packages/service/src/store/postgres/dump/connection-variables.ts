import { existsSync } from "node:fs";

/** Variables of libpq, by which the programs of Postgres are told where to connect: no argument names a password. */
export type ConnectionVariables = Readonly<Record<string, string>>;

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_HOST = "localhost";
/** First version whose libpq finds the system's certificates by itself. */
const SYSTEM_ROOTS_VERSION = 16;
const SYSTEM_ROOTS_FILES = [
	"/etc/ssl/certs/ca-certificates.crt",
	"/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/cert.pem",
];

/**
 * Translates the address of a database as `pg` reads it. What it leaves out is taken of the environment, as there.
 *
 * @param toolVersion - major version of the program that gets the variables.
 * @see https://www.postgresql.org/docs/15/libpq-envars.html
 */
export function toConnectionVariables(
	url: string,
	toolVersion: number,
	environment: Environment,
): ConnectionVariables {
	const address = new URL(url);
	const { searchParams: parameters } = address;
	const host = parameters.get("host") ?? decodeURIComponent(address.hostname.replace(/^\[(.+)\]$/u, "$1"));
	return withoutEmpty({
		PGHOST: host || (environment.PGHOST ?? DEFAULT_HOST),
		PGPORT: parameters.get("port") ?? address.port,
		PGUSER: parameters.get("user") ?? decodeURIComponent(address.username),
		PGPASSWORD: parameters.get("password") ?? decodeURIComponent(address.password),
		PGDATABASE: decodeURIComponent(address.pathname.slice(1)),
		PGAPPNAME: "stemma",
		PGSSLCERT: parameters.get("sslcert"),
		PGSSLKEY: parameters.get("sslkey"),
		...toTlsVariables(parameters, toolVersion, environment),
	});
}

/** `pg` checks the server's certificate in all modes but `no-verify`, where libpq does in `verify-full` alone. */
function toTlsVariables(parameters: URLSearchParams, toolVersion: number, environment: Environment) {
	const mode = parameters.get("sslmode");
	const rootFile = parameters.get("sslrootcert");
	if (parameters.get("uselibpqcompat") === "true") return { PGSSLMODE: mode, PGSSLROOTCERT: rootFile };
	if (mode === "disable") return { PGSSLMODE: mode };
	if (mode === "no-verify") return { PGSSLMODE: "require" };
	const asksForTls =
		mode !== null || rootFile !== null || ["true", "1"].includes(parameters.get("ssl") ?? "");
	if (!asksForTls) return {};
	return {
		PGSSLMODE: "verify-full",
		PGSSLROOTCERT: rootFile ?? environment.PGSSLROOTCERT ?? findSystemRoots(toolVersion),
	};
}

const findSystemRoots = (toolVersion: number): string | undefined =>
	toolVersion >= SYSTEM_ROOTS_VERSION ? "system" : SYSTEM_ROOTS_FILES.find((file) => existsSync(file));

const withoutEmpty = (variables: Readonly<Record<string, string | null | undefined>>): ConnectionVariables =>
	Object.fromEntries(
		Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
	);
