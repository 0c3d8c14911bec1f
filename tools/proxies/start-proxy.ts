import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findStablePort } from "@stemma/simulators/processes";

const programs = {
	nginx: process.env.NGINX_PATH ?? "/usr/sbin/nginx",
	haproxy: process.env.HAPROXY_PATH ?? "/usr/sbin/haproxy",
} as const;

/** Reverse proxies that operators put before Stemma. */
export type ProxyName = keyof typeof programs;

export const PROXIES: readonly ProxyName[] = ["nginx", "haproxy"];

export const hasProxy = (name: ProxyName): boolean => existsSync(programs[name]);

export interface RunningProxy {
	readonly url: string;
	stop(): Promise<void>;
}

/** Starts a proxy that keeps few connections to an upstream, and uses them for all clients in turn. */
export async function startProxy(name: ProxyName, upstream: string): Promise<RunningProxy> {
	const folder = await mkdtemp(join(tmpdir(), `stemma-${name}-`));
	const port = await findStablePort();
	const file = join(folder, `${name}.conf`);
	await writeFile(file, CONFIGURATIONS[name](port, new URL(upstream).host, folder));
	const args = name === "nginx" ? ["-p", folder, "-c", file, "-e", "stderr"] : ["-f", file, "-db"];
	return runProxy({ program: programs[name], args, folder, port, url: `http://127.0.0.1:${port}` });
}

/** A proxy that is about to be started. */
export interface ProxyProgram {
	readonly program: string;
	readonly args: readonly string[];
	/** Files of its own, which are deleted when it has stopped. */
	readonly folder: string;
	/** Port that opens once it has started. */
	readonly port: number;
	readonly url: string;
	readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the program of a proxy, and waits until its port is open. */
export async function runProxy({
	program,
	args,
	folder,
	port,
	url,
	environment = {},
}: ProxyProgram): Promise<RunningProxy> {
	const child = spawn(program, args, {
		stdio: ["ignore", "ignore", "pipe"],
		env: { ...process.env, ...environment },
	});
	let errorOutput = "";
	child.stderr.on("data", (chunk) => {
		errorOutput += chunk;
	});
	try {
		await waitForPort(port, child);
	} catch {
		throw new Error(`${program} did not start: ${errorOutput}`);
	}
	return {
		url,
		async stop() {
			if (child.exitCode === null && child.kill()) await once(child, "exit");
			await rm(folder, { recursive: true, force: true });
		},
	};
}

const CONFIGURATIONS: Readonly<
	Record<ProxyName, (port: number, upstream: string, folder: string) => string>
> = {
	nginx: (port, upstream, folder) => `
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
	client_max_body_size 0;
	upstream stemma { server ${upstream}; keepalive 2; }
	server {
		listen 127.0.0.1:${port};
		location / {
			proxy_pass http://stemma;
			proxy_http_version 1.1;
			proxy_set_header Connection "";
			proxy_set_header Host $http_host;
			proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
			proxy_next_upstream off;
		}
	}
}
`,
	haproxy: (port, upstream) => `
global
	maxconn 256
defaults
	mode http
	timeout connect 5s
	timeout client 30s
	timeout server 30s
	http-reuse always
	option forwardfor
	retries 0
frontend entry
	bind 127.0.0.1:${port}
	default_backend stemma
backend stemma
	server one ${upstream} pool-max-conn 2
`,
};

async function waitForPort(port: number, child: ChildProcess): Promise<void> {
	for (let attempt = 0; attempt < 4000; attempt++) {
		if (child.exitCode !== null) break;
		const socket = connect(port, "127.0.0.1");
		const isOpen = await new Promise((resolve) => {
			socket.once("connect", () => resolve(true));
			socket.once("error", () => resolve(false));
		});
		socket.destroy();
		if (isOpen) return;
		await new Promise((resolve) => setTimeout(resolve, 25));
	}
	throw new Error("The port did not open.");
}
