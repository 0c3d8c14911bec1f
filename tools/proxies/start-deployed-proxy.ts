import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findStablePort } from "@stemma/simulators/processes";
import { type RunningProxy, runProxy } from "./start-proxy";

const programs = {
	nginx: process.env.NGINX_PATH ?? "/usr/sbin/nginx",
	caddy: process.env.CADDY_PATH ?? "/usr/bin/caddy",
} as const;

/** Proxies that `deploy/` has a configuration for. */
export type DeployedProxyName = keyof typeof programs;

export const DEPLOYED_PROXIES: readonly DeployedProxyName[] = ["nginx", "caddy"];

export const hasDeployedProxy = (name: DeployedProxyName): boolean => existsSync(programs[name]);

/**
 * Starts a proxy with its configuration from `deploy/`, before an upstream or, with nginx, several: over TLS, with a
 * certificate that nobody signed for the host `localhost`.
 */
export async function startDeployedProxy(
	name: DeployedProxyName,
	...upstreams: readonly string[]
): Promise<RunningProxy> {
	const folder = await mkdtemp(join(tmpdir(), `stemma-${name}-`));
	const [port, httpPort] = [await findStablePort(), await findStablePort()];
	const options = { folder, port, httpPort, upstreams: upstreams.map((upstream) => new URL(upstream).host) };
	const started = name === "nginx" ? await prepareNginx(options) : prepareCaddy(options);
	const url = `https://localhost:${port}`;
	const proxy = await runProxy({ program: programs[name], folder, port, url, ...started });
	// Caddy listens before it has made its certificate.
	while (!(await canConnect(port))) await new Promise((resolve) => setTimeout(resolve, 50));
	return proxy;
}

/** Starts a proxy with the configuration for several instances. Caddy speaks plain HTTP then. */
export const startScaledProxy = (
	name: DeployedProxyName,
	upstreams: readonly string[],
): Promise<RunningProxy> =>
	name === "nginx" ? startDeployedProxy("nginx", ...upstreams) : startScaledCaddy(upstreams);

async function startScaledCaddy(upstreams: readonly string[]): Promise<RunningProxy> {
	const folder = await mkdtemp(join(tmpdir(), "stemma-caddy-"));
	const port = await findStablePort();
	const url = `http://127.0.0.1:${port}`;
	return runProxy({
		...{ program: programs.caddy, folder, port, url },
		args: ["run", "--config", toPath("scaled/Caddyfile"), "--adapter", "caddyfile"],
		environment: {
			STEMMA_SITE: url,
			STEMMA_UPSTREAMS: upstreams.map((upstream) => new URL(upstream).host).join(" "),
			STEMMA_HTTP_PORT: String(port),
			STEMMA_HTTPS_PORT: String(await findStablePort()),
			HOME: folder,
			XDG_DATA_HOME: folder,
			XDG_CONFIG_HOME: folder,
		},
	});
}

const canConnect = (port: number): Promise<boolean> =>
	new Promise((resolve) => {
		const socket = connect({ port, host: "127.0.0.1", servername: "localhost", rejectUnauthorized: false });
		socket.on("secureConnect", () => {
			socket.destroy();
			resolve(true);
		});
		socket.on("error", () => resolve(false));
	});

interface DeployedProxyOptions {
	readonly folder: string;
	readonly port: number;
	readonly httpPort: number;
	/** Host and port of each. */
	readonly upstreams: readonly string[];
}

const toPath = (file: string): string => fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url));

/** The Caddyfile takes all from its variables. */
const prepareCaddy = ({ folder, port, httpPort, upstreams }: DeployedProxyOptions) => ({
	args: ["run", "--config", toPath("caddy/Caddyfile"), "--adapter", "caddyfile"],
	environment: {
		STEMMA_SITE: "localhost",
		STEMMA_UPSTREAM: upstreams.join(" "),
		STEMMA_HTTP_PORT: String(httpPort),
		STEMMA_HTTPS_PORT: String(port),
		HOME: folder,
		XDG_DATA_HOME: folder,
		XDG_CONFIG_HOME: folder,
	},
});

/** The file for `conf.d` within a main file, with other ports, another upstream and another certificate. */
async function prepareNginx({ folder, port, httpPort, upstreams }: DeployedProxyOptions) {
	const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
	const subject = ["-subj", "/CN=localhost", "-days", "1"];
	const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject];
	await promisify(execFile)("openssl", [...request, "-keyout", key, "-out", certificate]);
	const text = await readFile(toPath("nginx/stemma.conf"), "utf8");
	const site = text
		.replace(/server 127\.0\.0\.1:4000( max_fails=0);/, (_, parameters) =>
			upstreams.map((upstream) => `server ${upstream}${parameters};`).join(" "),
		)
		.replace("listen 80;", `listen 127.0.0.1:${httpPort};`)
		.replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
		.replace(/(?<=ssl_certificate )[^;]+/, certificate)
		.replace(/(?<=ssl_certificate_key )[^;]+/, key);
	await writeFile(join(folder, "stemma.conf"), site);
	const file = join(folder, "nginx.conf");
	await writeFile(file, toMainFile(folder));
	return { args: ["-p", folder, "-c", file, "-e", "stderr"] };
}

const toMainFile = (folder: string): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 256; }
http {
	access_log off;
	client_body_temp_path ${folder}/body;
	proxy_temp_path ${folder}/proxy;
	fastcgi_temp_path ${folder}/fastcgi;
	uwsgi_temp_path ${folder}/uwsgi;
	scgi_temp_path ${folder}/scgi;
	include ${folder}/stemma.conf;
}
`;
