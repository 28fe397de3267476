-- One hub serves many sites: rows belong to a site by its host name, or to '', the only site of a sidecar
-- that serves one. SQLite cannot change the keys of a table, so the tables are made anew. Names are given last:
-- to drop a table that others refer to would delete their rows, and the reference follows the new name.

CREATE TABLE new_contents (
    site         TEXT    NOT NULL,
    topic        TEXT    NOT NULL,
    seq          INTEGER NOT NULL,
    hash         TEXT    NOT NULL,
    media_type   TEXT    NOT NULL,
    origin       TEXT    NOT NULL,
    published_at INTEGER NOT NULL,
    bytes        BLOB,
    PRIMARY KEY (site, topic, seq)
);
INSERT INTO new_contents (site, topic, seq, hash, media_type, origin, published_at, bytes)
    SELECT '', topic, seq, hash, media_type, origin, published_at, bytes FROM contents;

CREATE TABLE new_subscriptions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    site          TEXT    NOT NULL,
    topic         TEXT    NOT NULL,
    callback_key  TEXT    NOT NULL,
    callback      TEXT    NOT NULL,
    topic_url     TEXT    NOT NULL,
    host          TEXT    NOT NULL,
    secret        BLOB,
    lease_end     INTEGER NOT NULL,
    confirmed     INTEGER NOT NULL,
    failures      INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    delivered_at  INTEGER,
    last_error    TEXT,
    network       TEXT    NOT NULL,
    UNIQUE (site, topic, callback_key)
);
-- The ids of subscriptions that have ended are not given again.
INSERT INTO sqlite_sequence (name, seq)
    SELECT 'new_subscriptions', seq FROM sqlite_sequence WHERE name = 'subscriptions';
INSERT INTO new_subscriptions (id, site, topic, callback_key, callback, topic_url, host, secret, lease_end,
        confirmed, failures, created_at, delivered_at, last_error, network)
    SELECT id, '', topic, callback_key, callback, topic_url, host, secret, lease_end,
        confirmed, failures, created_at, delivered_at, last_error, network FROM subscriptions;

CREATE TABLE new_pending (
    ticket        INTEGER NOT NULL PRIMARY KEY,
    site          TEXT    NOT NULL,
    topic         TEXT    NOT NULL,
    callback_key  TEXT    NOT NULL,
    callback      TEXT    NOT NULL,
    topic_url     TEXT    NOT NULL,
    host          TEXT    NOT NULL,
    mode          TEXT    NOT NULL,
    secret        BLOB,
    lease         INTEGER NOT NULL,
    attempts      INTEGER NOT NULL,
    due_at        INTEGER NOT NULL,
    claimed_by    TEXT,
    claim_until   INTEGER,
    network       TEXT    NOT NULL,
    domain        TEXT    NOT NULL,
    renews        INTEGER NOT NULL,
    UNIQUE (site, topic, callback_key)
);
INSERT INTO new_pending (ticket, site, topic, callback_key, callback, topic_url, host, mode, secret, lease,
        attempts, due_at, claimed_by, claim_until, network, domain, renews)
    SELECT ticket, '', topic, callback_key, callback, topic_url, host, mode, secret, lease,
        attempts, due_at, claimed_by, claim_until, network, domain, renews FROM pending;

CREATE TABLE new_deliveries (
    subscription INTEGER NOT NULL PRIMARY KEY REFERENCES new_subscriptions (id) ON DELETE CASCADE,
    site         TEXT    NOT NULL,
    topic        TEXT    NOT NULL,
    host         TEXT    NOT NULL,
    seq          INTEGER NOT NULL,
    due_at       INTEGER NOT NULL,
    claimed_by   TEXT,
    claim_until  INTEGER
);
INSERT INTO new_deliveries (subscription, site, topic, host, seq, due_at, claimed_by, claim_until)
    SELECT subscription, '', topic, host, seq, due_at, claimed_by, claim_until FROM deliveries;

DROP TABLE deliveries;
DROP TABLE pending;
DROP TABLE subscriptions;
DROP TABLE contents;
ALTER TABLE new_contents RENAME TO contents;
ALTER TABLE new_subscriptions RENAME TO subscriptions;
ALTER TABLE new_pending RENAME TO pending;
ALTER TABLE new_deliveries RENAME TO deliveries;

CREATE INDEX subscriptions_host ON subscriptions (host);
CREATE INDEX subscriptions_lease_end ON subscriptions (lease_end);
CREATE INDEX pending_due ON pending (due_at);
CREATE INDEX pending_host ON pending (host);
CREATE INDEX deliveries_due ON deliveries (due_at);
CREATE INDEX deliveries_topic ON deliveries (site, topic);
