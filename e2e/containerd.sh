#!/bin/sh
# Unpacks the distribution's containerd, runc and CNI plugins into the folder $1, without installing or starting anything.
# A machine without apt, or with the first two in its PATH, gets none of them: the tests then use what is on the machine, or skip.
set -eu
mkdir -p "$1.new"
cd "$1.new"
if command -v containerd >/dev/null && command -v runc >/dev/null; then
	echo "e2e: using the containerd and runc of this machine"
elif ! command -v apt-get >/dev/null; then
	echo "e2e: there is neither containerd nor apt-get here: tests that need containers will be skipped" >&2
elif apt-get download containerd runc || { apt-get update && apt-get download containerd runc; }; then
	for package in *.deb; do
		dpkg-deb --extract "$package" .
	done
	rm -f ./*.deb
	if ldd usr/sbin/runc | grep -q 'libseccomp.*not found'; then
		apt-get download libseccomp2 && dpkg-deb --extract libseccomp2*.deb . && rm -f ./*.deb
	fi
else
	echo "e2e: containerd and runc cannot be had: tests that need containers will be skipped" >&2
fi
if [ -x /opt/cni/bin/ptp ] || [ -x /usr/lib/cni/ptp ]; then
	echo "e2e: using the CNI plugins of this machine"
elif command -v apt-get >/dev/null && apt-get download containernetworking-plugins; then
	dpkg-deb --extract containernetworking-plugins*.deb . && rm -f ./containernetworking-plugins*.deb
else
	echo "e2e: CNI plugins cannot be had: tests that need a network for pods will be skipped" >&2
fi
cd - >/dev/null
rm -rf "$1"
mv "$1.new" "$1"
