package io.metaq.jms.jndi;

import io.metaq.jms.uri.NearestName;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.ContextNotEmptyException;
import javax.naming.InvalidNameException;
import javax.naming.Name;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.spi.NamingManager;
import org.jspecify.annotations.Nullable;

/** A naming context in memory: what the properties say, and what was bound since. Contexts of the same tree share their bindings. */
@SuppressWarnings("BanJNDI") // this is a naming service
final class MetaQContext implements Context {
    private final Hashtable<Object, Object> environment;
    private final NameTree tree;
    private final NamePath where;

    MetaQContext(Hashtable<Object, Object> environment, NameTree tree, NamePath where) {
        this.environment = environment;
        this.tree = tree;
        this.where = where;
    }

    @Override
    public Object lookup(String name) throws NamingException {
        return lookup(NamePath.of(name));
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        return lookup(NamePath.of(name));
    }

    private Object lookup(NamePath path) throws NamingException {
        NameTree level = tree;
        for (int i = 0; i < path.parts().size(); i++) {
            String part = path.parts().get(i);
            Object found = level.get(part);
            if (found == null) {
                throw notFound(path, part, level);
            }
            if (found instanceof NameTree.Dynamic dynamic) {
                return below(dynamic, path, i);
            }
            if (!(found instanceof NameTree next)) {
                return object(found, path, i);
            }
            level = next;
        }
        return new MetaQContext(copyOfEnvironment(), level, where.plus(path));
    }

    private static Object below(NameTree.Dynamic dynamic, NamePath path, int index) throws NamingException {
        NamePath rest = path.from(index + 1);
        if (rest.isEmpty()) {
            throw new InvalidNameException(path + " is followed by the name of a destination: " + path + "/NAME");
        }
        return NameTree.made(dynamic, rest.toString());
    }

    private Object object(Object found, NamePath path, int index) throws NamingException {
        if (index + 1 < path.parts().size()) {
            throw new NotContextException(path.parts().get(index) + " in " + path + " is a "
                    + found.getClass().getName());
        }
        if (!(found instanceof Reference reference)) {
            return found;
        }
        try {
            return NamingManager.getObjectInstance(reference, new CompositeName(path.last()), this, environment);
        } catch (NamingException e) {
            throw e;
        } catch (Exception e) { // the interface of object factories lets them throw anything
            NamingException failed = new NamingException("the object factory of " + path + " failed: " + e);
            failed.setRootCause(e);
            throw failed;
        }
    }

    private static NameNotFoundException notFound(NamePath path, String part, NameTree level) {
        return new NameNotFoundException(
                path + " is not bound" + NearestName.hint(part, level.snapshot().keySet()));
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookup(name);
    }

    @Override
    public void bind(String name, @Nullable Object value) throws NamingException {
        bind(NamePath.of(name), value);
    }

    @Override
    public void bind(Name name, @Nullable Object value) throws NamingException {
        bind(NamePath.of(name), value);
    }

    private void bind(NamePath path, @Nullable Object value) throws NamingException {
        if (!parentOf(path).bind(path.last(), bindable(value))) {
            throw new NameAlreadyBoundException(path.toString());
        }
    }

    @Override
    public void rebind(String name, @Nullable Object value) throws NamingException {
        rebind(NamePath.of(name), value);
    }

    @Override
    public void rebind(Name name, @Nullable Object value) throws NamingException {
        rebind(NamePath.of(name), value);
    }

    private void rebind(NamePath path, @Nullable Object value) throws NamingException {
        parentOf(path).rebind(path.last(), bindable(value));
    }

    private static Object bindable(@Nullable Object value) throws NamingException {
        if (value == null) {
            throw new NamingException("null cannot be bound");
        }
        if (value instanceof MetaQContext context) {
            return context.tree;
        }
        return value instanceof Referenceable referenceable ? referenceable.getReference() : value;
    }

    @Override
    public void unbind(String name) throws NamingException {
        unbind(NamePath.of(name));
    }

    @Override
    public void unbind(Name name) throws NamingException {
        unbind(NamePath.of(name));
    }

    private void unbind(NamePath path) throws NamingException {
        parentOf(path).remove(path.last());
    }

    @Override
    public void rename(String from, String to) throws NamingException {
        rename(NamePath.of(from), NamePath.of(to));
    }

    @Override
    public void rename(Name from, Name to) throws NamingException {
        rename(NamePath.of(from), NamePath.of(to));
    }

    private void rename(NamePath from, NamePath to) throws NamingException {
        NameTree source = parentOf(from);
        Object value = source.get(from.last());
        if (value == null) {
            throw notFound(from, from.last(), source);
        }
        if (!parentOf(to).bind(to.last(), value)) {
            throw new NameAlreadyBoundException(to.toString());
        }
        source.remove(from.last());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        return list(NamePath.of(name));
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(NamePath.of(name));
    }

    private NamingEnumeration<NameClassPair> list(NamePath path) throws NamingException {
        List<NameClassPair> pairs = new ArrayList<>();
        for (Binding binding : bindings(path)) {
            pairs.add(new NameClassPair(binding.getName(), binding.getClassName()));
        }
        return new ListedNames<>(pairs);
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return new ListedNames<>(bindings(NamePath.of(name)));
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return new ListedNames<>(bindings(NamePath.of(name)));
    }

    private List<Binding> bindings(NamePath path) throws NamingException {
        List<Binding> bindings = new ArrayList<>();
        NameTree level = levelAt(path);
        for (Map.Entry<String, Object> entry : level.snapshot().entrySet()) {
            if (!(entry.getValue() instanceof NameTree.Dynamic)) {
                Object value = new MetaQContext(environment, level, where.plus(path))
                        .lookup(new NamePath(List.of(entry.getKey())));
                bindings.add(new Binding(entry.getKey(), value.getClass().getName(), value));
            }
        }
        return bindings;
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        return createSubcontext(NamePath.of(name));
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        return createSubcontext(NamePath.of(name));
    }

    private Context createSubcontext(NamePath path) throws NamingException {
        NameTree made = new NameTree();
        if (!parentOf(path).bind(path.last(), made)) {
            throw new NameAlreadyBoundException(path.toString());
        }
        return new MetaQContext(copyOfEnvironment(), made, where.plus(path));
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        destroySubcontext(NamePath.of(name));
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        destroySubcontext(NamePath.of(name));
    }

    private void destroySubcontext(NamePath path) throws NamingException {
        NameTree parent = parentOf(path);
        Object value = parent.get(path.last());
        if (value instanceof NameTree level && !level.isEmpty()) {
            throw new ContextNotEmptyException(path.toString());
        }
        if (value != null && !(value instanceof NameTree)) {
            throw new NotContextException(path.toString());
        }
        parent.remove(path.last());
    }

    private NameTree parentOf(NamePath path) throws NamingException {
        if (path.isEmpty()) {
            throw new InvalidNameException("the name is empty");
        }
        return levelAt(path.parent());
    }

    private NameTree levelAt(NamePath path) throws NamingException {
        NameTree level = tree;
        for (String part : path.parts()) {
            Object next = level.get(part);
            if (next == null) {
                throw notFound(path, part, level);
            }
            if (!(next instanceof NameTree found)) {
                throw new NotContextException(
                        part + " in " + path + " has no names below it that can be listed or bound");
            }
            level = found;
        }
        return level;
    }

    @Override
    public NameParser getNameParser(String name) {
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(Name name) {
        return CompositeName::new;
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        return composeName(new CompositeName(name), new CompositeName(prefix)).toString();
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public @Nullable Object addToEnvironment(String key, Object value) {
        return environment.put(key, value);
    }

    @Override
    public @Nullable Object removeFromEnvironment(String key) {
        return environment.remove(key);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return copyOfEnvironment();
    }

    private Hashtable<Object, Object> copyOfEnvironment() {
        return new Hashtable<>(environment);
    }

    /** Does nothing: a context holds nothing but memory, and what was looked up stays usable. */
    @Override
    public void close() {}

    @Override
    public String getNameInNamespace() {
        return where.toString();
    }
}
