# A private certificate authority for phones in the local network, and the certificate of the server.
# shellcheck shell=bash

# Prints every private address of this machine, IPv4 first.
lan_addresses() {
    hostname -I | tr ' ' '\n' |
        grep -E '^(10\.|192\.168\.|172\.(1[6-9]|2[0-9]|3[01])\.|f[cd])' |
        awk '/:/ { later = later $0 "\n"; next } { print } END { printf "%s", later }' || true
}

# need_certificate FOLDER ADDRESS…: ensures a valid certificate. The authority is created once and kept, because phones
# trust it. The certificate is renewed if names or addresses have changed, and 30 days before it expires.
need_certificate() {
    local folder=$1 names="DNS:localhost,IP:127.0.0.1" name address
    shift
    name=$(hostname)
    mkdir -p "$folder"
    owned_by_runner "$folder"
    # `.local` is the suffix of mDNS; routers use `.lan`, `.home.arpa` and `.fritz.box`.
    if [[ $name =~ ^[A-Za-z0-9-]+$ ]]; then names+=",DNS:$name,DNS:$name.local,DNS:$name.lan,DNS:$name.home.arpa,DNS:$name.fritz.box"; fi
    for address in "$@"; do names+=",IP:$address"; done

    if [ ! -s "$folder/ca.crt" ]; then make_authority "$folder" "$name"; fi
    if [ "$(cat "$folder/names" 2>/dev/null || true)" != "$names" ] ||
        ! openssl x509 -in "$folder/server.crt" -noout -checkend $((30 * 86400)) >/dev/null 2>&1; then
        make_certificate "$folder" "$names"
    fi
}

# Prints the names and addresses of the certificate as they appear in URLs, separated by commas.
certificate_hosts() {
    tr ',' '\n' <"$1/names" | sed -e 's/^DNS://' -e '/:.*:/s/^IP:\(.*\)/[\1]/' -e 's/^IP://' | paste -sd,
}

# make_authority FOLDER NAME: creates the authority. Name constraints limit it to private addresses and local names, so
# that a stolen key cannot be used to forge a certificate for a public site.
make_authority() {
    local folder=$1 name=$2 permitted
    permitted="permitted;DNS:localhost,permitted;DNS:local,permitted;DNS:lan,permitted;DNS:home.arpa,permitted;DNS:fritz.box"
    if [[ $name =~ ^[A-Za-z0-9-]+$ ]]; then permitted+=",permitted;DNS:$name"; fi
    permitted+=",permitted;IP:127.0.0.0/255.0.0.0,permitted;IP:10.0.0.0/255.0.0.0"
    permitted+=",permitted;IP:172.16.0.0/255.240.0.0,permitted;IP:192.168.0.0/255.255.0.0"
    permitted+=",permitted;IP:fc00::/fe00::"
    openssl ecparam -name prime256v1 -genkey -noout -out "$folder/ca.key"
    chmod 600 "$folder/ca.key"
    openssl req -x509 -new -sha256 -key "$folder/ca.key" -days 3650 -subj "/CN=AllesTeurer ($name)" \
        -addext "basicConstraints=critical,CA:TRUE,pathlen:0" -addext "keyUsage=critical,keyCertSign,cRLSign" \
        -addext "nameConstraints=critical,$permitted" -out "$folder/ca.crt.new"
    owned_by_runner "$folder/ca.crt.new"
    mv "$folder/ca.crt.new" "$folder/ca.crt"
}

# make_certificate FOLDER NAMES: creates the server's certificate. It is valid for 397 days, because Apple's browsers refuse
# certificates with a longer validity.
make_certificate() {
    local folder=$1 names=$2
    # The file of names is written last. If it is missing, the next start makes key and certificate again.
    rm -f "$folder/names"
    openssl ecparam -name prime256v1 -genkey -noout -out "$folder/server.key"
    openssl req -new -sha256 -key "$folder/server.key" -subj "/CN=AllesTeurer" |
        openssl x509 -req -sha256 -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -days 397 \
            -set_serial "0x$(openssl rand -hex 16)" -out "$folder/server.crt.new" -extfile <(
                echo "basicConstraints=critical,CA:FALSE"
                echo "keyUsage=critical,digitalSignature"
                echo "extendedKeyUsage=serverAuth"
                echo "subjectAltName=$names"
                echo "authorityKeyIdentifier=keyid"
            ) 2>/dev/null
    cat "$folder/ca.crt" >>"$folder/server.crt.new"
    mv "$folder/server.crt.new" "$folder/server.crt"
    owned_by_runner "$folder/server.key"
    owned_by_runner "$folder/server.crt"
    echo "$names" >"$folder/names"
}
