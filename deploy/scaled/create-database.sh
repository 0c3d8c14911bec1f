#!/bin/sh
# Run once by the image of Postgres, on an empty volume: creates the roles and the database of docs/postgres.md.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
	--set=owner_password="$(cat /run/secrets/postgres-owner)" \
	--set=app_password="$(cat /run/secrets/postgres-app)" <<'SQL'
create role stemma_owner login password :'owner_password';
create role stemma_app login password :'app_password';
create database stemma owner stemma_owner template template0 encoding 'UTF8';
revoke connect on database stemma from public;
grant connect on database stemma to stemma_app;
\connect stemma
create extension vector;
SQL
