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
	/** Beyond them, the one that was not used for longest is closed. Default 32. */
	readonly most?: number;
}

interface Entry<Client> {
	readonly client: Promise<Client>;
	users: number;
	isDropped: boolean;
}

export function createClientPool<Client>({
	create,
	close,
	most = 32,
}: ClientPoolOptions<Client>): ClientPool<Client> {
	/** Used last stands last. */
	const entries = new Map<string, Entry<Client>>();

	function take(url: string, secret: string | undefined): Entry<Client> {
		const key = JSON.stringify([url, secret]);
		const entry = entries.get(key) ?? start(key, create(url, secret));
		entries.delete(key);
		entries.set(key, entry);
		for (const oldest of entries.keys()) if (entries.size > most) drop(oldest);
		return entry;
	}

	function start(key: string, client: Promise<Client>): Entry<Client> {
		const entry = { client, users: 0, isDropped: false };
		// What could not be made is made anew by the next who asks.
		client.catch(() => entries.get(key) === entry && entries.delete(key));
		return entry;
	}

	function drop(key: string): void {
		const entry = entries.get(key);
		if (entry === undefined) return;
		entries.delete(key);
		entry.isDropped = true;
		if (entry.users === 0) end(entry);
	}

	const end = ({ client }: Entry<Client>): void => void client.then(close).catch(() => undefined);

	return {
		async use(url, secret, use) {
			const entry = take(url, secret);
			entry.users += 1;
			try {
				return await use(await entry.client);
			} finally {
				entry.users -= 1;
				if (entry.isDropped && entry.users === 0) end(entry);
			}
		},
		close() {
			for (const key of [...entries.keys()]) drop(key);
		},
	};
}
