/** Clients of servers, each made once and shared by all who call that server with that secret. */
export interface ClientPool<Client> {
	/** Lends a client for as long as `use` takes. */
	use<Result>(
		url: string,
		secret: string | undefined,
		use: (client: Client) => Promise<Result>,
	): Promise<Result>;
	/** Lets go of every client; one that is in use is closed after that. */
	close(): void;
}

export interface ClientPoolOptions<Client> {
	create(url: string, secret: string | undefined): Promise<Client>;
	close(client: Client): void;
	/** Maximum number of clients that are kept. Above it, the least recently used one is closed. Default 32. */
	readonly maxClients?: number;
}

interface Entry<Client> {
	readonly client: Promise<Client>;
	useCount: number;
	isEvicted: boolean;
}

export function createClientPool<Client>({
	create,
	close,
	maxClients = 32,
}: ClientPoolOptions<Client>): ClientPool<Client> {
	/** Used last stands last. */
	const entries = new Map<string, Entry<Client>>();

	function acquire(url: string, secret: string | undefined): Entry<Client> {
		const key = JSON.stringify([url, secret]);
		const entry = entries.get(key) ?? start(key, create(url, secret));
		entries.delete(key);
		entries.set(key, entry);
		for (const oldest of entries.keys()) if (entries.size > maxClients) evict(oldest);
		return entry;
	}

	function start(key: string, client: Promise<Client>): Entry<Client> {
		const entry = { client, useCount: 0, isEvicted: false };
		// What could not be made is made anew by the next who asks.
		client.catch(() => entries.get(key) === entry && entries.delete(key));
		return entry;
	}

	function evict(key: string): void {
		const entry = entries.get(key);
		if (entry === undefined) return;
		entries.delete(key);
		entry.isEvicted = true;
		if (entry.useCount === 0) closeClient(entry);
	}

	const closeClient = ({ client }: Entry<Client>): void => void client.then(close).catch(() => undefined);

	return {
		async use(url, secret, use) {
			const entry = acquire(url, secret);
			entry.useCount += 1;
			try {
				return await use(await entry.client);
			} finally {
				entry.useCount -= 1;
				if (entry.isEvicted && entry.useCount === 0) closeClient(entry);
			}
		},
		close() {
			for (const key of [...entries.keys()]) evict(key);
		},
	};
}
