-- Creates the two roles and the database unless they exist. Run by a superuser with psql; can be repeated.
-- allesteurer_owner runs migrations. allesteurer_app serves requests: it is not a superuser, owns nothing and has no
-- BYPASSRLS, so row-level security applies to it. The variables owner_password and app_password set the passwords,
-- which only TCP connections need.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', name)
FROM unnest(ARRAY['allesteurer_owner', 'allesteurer_app']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec
\if :{?owner_password}
SELECT format('ALTER ROLE allesteurer_owner PASSWORD %L', :'owner_password')
\gexec
\endif
\if :{?app_password}
SELECT format('ALTER ROLE allesteurer_app PASSWORD %L', :'app_password')
\gexec
\endif
-- Does not depend on the encoding and locale of the cluster: text is UTF-8, and the schema names its collations.
SELECT 'CREATE DATABASE allesteurer OWNER allesteurer_owner TEMPLATE template0
    ENCODING ''UTF8'' LC_COLLATE ''C.UTF-8'' LC_CTYPE ''C.UTF-8'''
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'allesteurer')
\gexec
REVOKE ALL ON DATABASE allesteurer FROM PUBLIC;
GRANT CONNECT ON DATABASE allesteurer TO allesteurer_app;
\connect allesteurer
SET client_min_messages = warning;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO allesteurer_owner;
GRANT USAGE ON SCHEMA public TO allesteurer_app;
