/** State of the connections of a pool. */
export interface PoolState {
	readonly connectionsInUse: number;
	readonly connectionsIdle: number;
	/** Transactions that wait for a connection. */
	readonly connectionsAwaited: number;
}

/** State of an instance among those that share a database. */
export interface InstanceState {
	/** Milliseconds since it has renewed its lease. */
	readonly leaseAgeMs: number;
	/** Times that the connection with its lease was lost and replaced. */
	readonly reconnects: number;
}

/** State of an instance's connections to its database. */
export interface DatabaseConnections extends PoolState, InstanceState {}
